import { List, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { isShortPassphrase } from '../../../../domain/access.ts';
import { PASSPHRASE_LENGTH } from '../../../../domain/limits.ts';
import { archiveTexts as texts } from '../../../../texts/admin/archive.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { errorSentences } from '../../../../texts/errors.ts';
import { IconDownload } from '../../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';

/** `/admin/copia`: a backup of everything in one file (decision 020). */
export function Page() {
  const query = useQuery(queries.archive.look.queryOptions());
  return (
    <PageFrame {...adminPageTexts['/admin/copia']}>
      <Loaded query={query} loadFailed={texts.loadFailed} shape="cards">
        {({ bytes, last_at }) => (
          <Stack gap="lg">
            <Download bytes={bytes} last={last_at} />
            <Card title={texts.what.title}>
              <List spacing="xs">
                {texts.what.lines.map((line) => (
                  <List.Item key={line}>{line}</List.Item>
                ))}
              </List>
              <Text>{texts.what.back}</Text>
            </Card>
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  );
}

type Field = 'passphrase' | 'again';

function Download({ bytes, last }: { bytes: number; last: string | null }) {
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<{ field: Field; sentence: string }>();
  const { begin, working, underWay } = useDownload(last);

  function refuse(field: Field, sentence: string): void {
    setWrong({ field, sentence });
    toastError(sentence);
    const input = form.current?.elements.namedItem(field);
    if (input instanceof HTMLInputElement) input.focus();
  }
  function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const [passphrase, again] = written(event.currentTarget);
    if (isShortPassphrase(passphrase)) return refuse('passphrase', errorSentences.PASSPHRASE_SHORT);
    if (passphrase !== again) return refuse('again', texts.make.differ);
    begin(passphrase, () => form.current?.reset());
  }
  const field = (name: Field) => ({
    name,
    size: 'md' as const,
    autoComplete: 'new-password',
    maxLength: PASSPHRASE_LENGTH.max,
    error: wrong?.field === name && wrong.sentence,
  });
  return (
    <Card title={texts.make.title} hint={texts.make.hint(bytes)}>
      <form
        ref={form}
        method="dialog"
        noValidate
        onInput={() => setWrong(undefined)}
        onSubmit={(event) => submitted(event)}
      >
        <Stack maw="26rem">
          <PasswordInput
            label={texts.make.passphrase}
            description={texts.make.rule(PASSPHRASE_LENGTH.min)}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            {...field('passphrase')}
          />
          <PasswordInput label={texts.make.again} {...field('again')} />
          <div>
            <BusyButton type="submit" working={working} leftSection={<IconDownload size={18} aria-hidden />}>
              {texts.make.submit}
            </BusyButton>
          </div>
        </Stack>
      </form>
      <Text c="dimmed" role="status">
        {underWay ? texts.make.underWay : texts.make.last(last)}
      </Text>
    </Card>
  );
}

/** Returns both fields untrimmed, because spaces count. */
function written(form: HTMLFormElement): [string, string] {
  const fields = new FormData(form);
  const text = (name: Field) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  return [text('passphrase'), text('again')];
}

/** Starts a download by the browser, which uses no memory of the page. The event log reports its end. */
function useDownload(last: string | null) {
  const [before, setBefore] = useState<{ last: string | null }>();
  const underWay = before !== undefined;
  const isDone = underWay && before.last !== last;
  useEffect(() => {
    if (!isDone) return;
    setBefore(undefined);
    toastSuccess(texts.make.done);
  }, [isDone]);
  const { mutate, isPending } = useMutation({
    mutationFn: (passphrase: string) => api.archive.prepare({ passphrase }),
    onError: (cause) => toastError(messageOf(cause, texts.make.makeFailed)),
    onSuccess: ({ path }) => {
      const link = document.createElement('a');
      link.href = path;
      link.download = '';
      link.click();
      setBefore({ last });
      toastSuccess(texts.make.begun);
    },
  });
  const begin = (passphrase: string, onBegun: () => void) => mutate(passphrase, { onSuccess: onBegun });
  return { begin, working: isPending, underWay };
}
