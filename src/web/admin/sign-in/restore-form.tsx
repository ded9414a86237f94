import { FileInput, PasswordInput, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { archiveTexts } from '../../../texts/admin/archive.ts';
import { ApiError, noAnswerError, parseApiError } from '../../api/failure.ts';
import { toastError, toastSuccess } from '../../ui/toaster/toast.ts';
import { api, queries } from '../api.ts';
import { BusyButton } from '../components/working-button.tsx';
import { messageOf } from '../failure.ts';
import { SetupCodeField } from './setup-code-field.tsx';

const texts = archiveTexts.restore;

/** Timeout in ms; unpacking some gigabytes takes minutes. */
const TIMEOUT_MS = 30 * 60_000;

type FieldName = 'file' | 'passphrase' | 'setup_code';
type RestoreFieldError = { field: FieldName; sentence: string };
type State =
  | { phase: 'idle' | 'unpacking' }
  | { phase: 'sending'; share: number; secondsLeft: number | null };

/** Form that restores an archive, with its progress. */
export function RestoreForm({ setupCode, onRestored }: { setupCode: boolean; onRestored: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const { state, wrong, form, submitted, written } = useRestore(file, onRestored);
  const working = state.phase !== 'idle';
  const error = (name: FieldName) => wrong?.field === name && wrong.sentence;
  return (
    <form
      ref={form}
      method="dialog"
      aria-label={texts.title}
      noValidate
      onInput={written}
      onSubmit={(event) => void submitted(event)}
    >
      <Stack>
        <FileInput
          label={texts.file}
          placeholder={texts.choose}
          size="md"
          clearable={false}
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            written();
          }}
          error={error('file')}
          data-field="file"
        />
        <PasswordInput
          label={texts.passphrase}
          description={texts.passphraseHint}
          name="passphrase"
          size="md"
          autoComplete="off"
          error={error('passphrase')}
        />
        {setupCode && <SetupCodeField wrong={error('setup_code')} />}
        <BusyButton type="submit" size="md" fullWidth working={working} mt="xs">
          {texts.submit}
        </BusyButton>
        {state.phase === 'sending' && <Progress value={state.share * 100} aria-hidden />}
        <Text role="status" size="sm" ta="center">
          {statusText(state)}
        </Text>
      </Stack>
    </form>
  );
}

function statusText(state: State): string {
  if (state.phase === 'sending') return texts.sending(state.share, state.secondsLeft);
  return state.phase === 'unpacking' ? texts.unpacking : '';
}

/** The archive on the server, so that a mistyped passphrase does not require sending it again. */
type SentArchive = { file: File; id: string };

function useRestore(file: File | null, onRestored: () => void) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<SentArchive>(undefined);
  const [state, setState] = useState<State>({ phase: 'idle' });
  const [wrong, setWrong] = useState<RestoreFieldError>();

  function pointTo(field: FieldName, sentence: string): void {
    setWrong({ field, sentence });
    toastError(sentence);
    const named = field === 'file' ? '[data-field="file"]' : `[name="${field}"]`;
    form.current?.querySelector<HTMLElement>(named)?.focus();
  }

  async function idOf(chosen: File, setup_code: string): Promise<string> {
    if (sent.current?.file === chosen) return sent.current.id;
    const { id } = await api.restore.begin({
      size: Math.max(1, chosen.size),
      ...(setup_code && { setup_code }),
    });
    const startedAt = performance.now();
    setState({ phase: 'sending', share: 0, secondsLeft: null });
    const onSent = (bytes: number) =>
      setState({ phase: 'sending', share: bytes / chosen.size, ...timeLeft(bytes, chosen.size, startedAt) });
    await sendArchive({ id, file: chosen, onSent });
    sent.current = { file: chosen, id };
    return id;
  }

  async function submitted(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.phase !== 'idle') return;
    if (file === null) return pointTo('file', texts.fileRequired);
    const fields = new FormData(event.currentTarget);
    const text = (name: FieldName) => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    try {
      const id = await idOf(file, text('setup_code').trim());
      setState({ phase: 'unpacking' });
      const input = { id, passphrase: text('passphrase') };
      const { missing } = await api.restore.carryOut(input, { context: { timeoutMs: TIMEOUT_MS } });
      toastSuccess(texts.done);
      if (missing.length > 0) toastError(texts.missing(missing));
      onRestored();
    } catch (error) {
      if (!isOfPassphrase(error)) sent.current = undefined;
      pointTo(fieldOf(error), messageOf(error, isProxyLimit(error) ? texts.proxyLimit : texts.restoreFailed));
    }
    setState({ phase: 'idle' });
    // Someone else may have registered since.
    await queryClient.invalidateQueries({ queryKey: queries.registration.queryKey() });
  }
  return { state, wrong, form, submitted, written: () => setWrong(undefined) };
}

/** Estimates the remaining time after the first second. */
function timeLeft(sent: number, size: number, startedAt: number): { secondsLeft: number | null } {
  const seconds = (performance.now() - startedAt) / 1_000;
  return { secondsLeft: seconds < 1 || sent === 0 ? null : ((size - sent) * seconds) / sent };
}

const isOfPassphrase = (error: unknown) =>
  error instanceof ApiError && ['ARCHIVE_LOCKED', 'PASSPHRASE_WRONG'].includes(error.codice);

/** True for a 413 from a proxy instead of this server. */
const isProxyLimit = (error: unknown) =>
  error instanceof ApiError && error.codice === 'UNREADABLE' && error.status === 413;

/** Returns the field to focus after an error. */
function fieldOf(error: unknown): FieldName {
  if (isOfPassphrase(error)) return 'passphrase';
  return error instanceof ApiError && error.codice === 'SETUP_CODE_WRONG' ? 'setup_code' : 'file';
}

type ArchiveUpload = {
  id: string;
  file: File;
  /** Called with the bytes sent. */
  onSent: (bytes: number) => void;
};

/**
 * Sends an announced archive in one request; resuming requires an administrator. Rejects with an `ApiError`. Uses XMLHttpRequest,
 * because `fetch` reports no upload progress.
 */
function sendArchive({ id, file, onSent }: ArchiveUpload): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('PUT', `/api/admin/restore/${id}`);
    sending.setRequestHeader('content-type', 'application/octet-stream');
    sending.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    sending.addEventListener('load', () => {
      if (sending.status < 300) resolve();
      else reject(parseApiError(parsed(sending.responseText), sending.status));
    });
    for (const end of ['error', 'abort', 'timeout'] as const)
      sending.addEventListener(end, () => reject(noAnswerError()));
    sending.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
