import { Alert, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ERASE_PARTS, ERASE_WORD, type Erasable, type Keep } from '../../../../contract/admin/archive.ts';
import { eraseTexts as texts } from '../../../../texts/admin/archive.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';

/** Timeout in ms; many files take long to delete. */
const TIMEOUT_MS = 120_000;
/** Keeps the account by default, because without one a stranger could register. */
const DEFAULT_KEEP: Keep = { codes: false, configuration: false, account: true };

/** `/admin/cancella`: erases the evening's data afterwards (decision 066). */
export function Page() {
  const query = useQuery(queries.erase.look.queryOptions());
  return (
    <PageFrame {...adminPageTexts['/admin/cancella']}>
      <Loaded query={query} loadFailed={texts.loadFailed} shape="cards">
        {(erasable) => <Erasing erasable={erasable} />}
      </Loaded>
    </PageFrame>
  );
}

function Erasing({ erasable }: { erasable: Erasable }) {
  const [keep, setKeep] = useState(DEFAULT_KEEP);
  return (
    <Stack gap="lg">
      <There erasable={erasable} />
      <Card title={texts.keep.title}>
        {ERASE_PARTS.map((part) => (
          <Checkbox
            key={part}
            size="md"
            label={texts.keep.parts[part].label}
            description={texts.keep.parts[part].hint}
            checked={keep[part]}
            onChange={({ currentTarget: { checked } }) =>
              setKeep((before) => ({ ...before, [part]: checked }))
            }
          />
        ))}
      </Card>
      <Confirmed keep={keep} erasable={erasable} />
    </Stack>
  );
}

function There({ erasable }: { erasable: Erasable }) {
  const { visits, answers, files, events, codes } = erasable;
  const isEmpty = visits + answers + files + events + codes === 0;
  return (
    <Card title={texts.there.title} {...(isEmpty && { hint: texts.there.nothing })}>
      {!isEmpty && (
        <Group component="ul" gap="0.25rem 1.25rem" m={0} p={0} style={{ listStyle: 'none' }}>
          {texts.there.lines(erasable).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Group>
      )}
    </Card>
  );
}

function Confirmed({ keep, erasable }: { keep: Keep; erasable: Erasable }) {
  const { backups, living } = erasable;
  const queryClient = useQueryClient();
  const [word, setWord] = useState('');
  const [wrong, setWrong] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.erase.carryOut({ keep, word: ERASE_WORD }, { context: { timeoutMs: TIMEOUT_MS } }),
    onSuccess: async () => {
      // The session ended with the account; the page must reload.
      if (!keep.account) return location.assign('/admin');
      setWord('');
      toastSuccess(texts.last.done);
      await queryClient.invalidateQueries();
    },
    onError: (error) => toastError(messageOf(error, texts.last.failed)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWrong(word !== ERASE_WORD);
    if (word === ERASE_WORD && !isPending) mutate();
  };
  return (
    <Card title={texts.last.title} hint={texts.last.hint}>
      <Text>{texts.last.backups(backups)}</Text>
      {living > 0 && <Alert color="orange">{texts.last.living(living)}</Alert>}
      <form onSubmit={submit}>
        <Stack gap="md" align="flex-start">
          <TextInput
            size="md"
            maw="20rem"
            label={texts.last.label}
            value={word}
            onChange={(event) => setWord(event.currentTarget.value)}
            error={wrong && word !== ERASE_WORD ? texts.last.wrong : null}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <BusyButton type="submit" color="red.9" working={isPending}>
            {texts.last.submit}
          </BusyButton>
        </Stack>
      </form>
    </Card>
  );
}
