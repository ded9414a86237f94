import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DIAGNOSIS } from '../../../../domain/diagnosis.ts';
import { diagnosisAdminTexts as texts } from '../../../../texts/admin/diagnosis.ts';
import { dayOf } from '../../../../texts/admin/times.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { PassCode, passLink } from '../../components/pass-code.tsx';
import { messageOf } from '../../failure.ts';

/** Asks for the phone's name and shows a code that opens its test. Reuses a valid code of that name. */
export function PhonePass() {
  const [nome, setNome] = useState('');
  const making = useMutation({
    mutationFn: () => api.diagnosis.pass({ nome }),
    onError: (error) => toastError(messageOf(error, texts.createFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.diagnosis.key() }),
  });
  if (making.data !== undefined)
    return (
      <PassCode
        link={passLink('/diagnostica', making.data)}
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
        maxLength={DIAGNOSIS.nameSigns}
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
