import { Button, Stack, TextInput } from '@mantine/core';
import { type QueryKey, useMutation } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, useState } from 'react';
import { dayOf } from '../../../texts/admin/times.ts';
import { toastError } from '../../ui/toaster/toast.ts';
import { messageOf } from '../failure.ts';
import { PassCode, passLink } from './pass-code.tsx';

type Texts = ComponentProps<typeof PassCode>['texts'] &
  Record<'nome' | 'nomeHint' | 'nomePlaceholder' | 'create' | 'createFailed' | 'rule', string> & {
    validUntil: (day: string) => string;
  };

type Given = { pass: string; scadenza: string; public_url: string | null };

type NamedPassProps = {
  /** What the pass opens. */
  page: string;
  texts: Texts;
  nameSigns: number;
  make: (nome: string) => Promise<Given>;
  /** What is read again afterwards. */
  list: QueryKey;
};

/** Asks whose phone it is, and shows the code that opens a page there. */
export function NamedPass({ page, texts, nameSigns, make, list }: NamedPassProps) {
  const [nome, setNome] = useState('');
  const making = useMutation({
    mutationFn: () => make(nome),
    onError: (failed) => toastError(messageOf(failed, texts.createFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: list }),
  });
  if (making.data !== undefined)
    return (
      <PassCode
        link={passLink(page, making.data)}
        texts={texts}
        until={texts.validUntil(dayOf(making.data.scadenza))}
        rule={texts.rule}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput
        label={texts.nome}
        description={texts.nomeHint}
        placeholder={texts.nomePlaceholder}
        maxLength={nameSigns}
        value={nome}
        onChange={({ currentTarget }) => setNome(currentTarget.value)}
        data-autofocus
      />
      <Button type="submit" loading={making.isPending}>
        {texts.create}
      </Button>
    </Stack>
  );
}
