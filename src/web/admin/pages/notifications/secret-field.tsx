import { Button, Code, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import type { Secret } from './secrets.ts';
import { useSaveSecret } from './use-save-secret.ts';

export type SecretState = ReturnType<typeof useSecret>;

/** State of a secret while it is typed. It is stored nowhere else: not in a draft, not in the cache. */
export function useSecret(secret: Secret, record: ConfigRecord) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  // Undefined until the first change between both views; only then the focus follows.
  const [replacing, setReplacing] = useState<boolean>();
  const { mutate, isPending } = useSaveSecret(secret, keep);
  const text = typed.trim();
  const savable = secret.schema.safeParse(text).success;
  function write(next: string): void {
    setTyped(next);
    setWrong(false);
  }
  /** Keeps the saved secret. */
  function keep(): void {
    write('');
    setReplacing(false);
  }
  return {
    secret,
    typed,
    write,
    unsaved: text !== '',
    wrong,
    savable,
    saving: isPending,
    save(): void {
      setWrong(!savable);
      if (savable) mutate({ text, record });
    },
    replacing,
    replace: () => setReplacing(true),
    keep,
  };
}

type FieldProps = { record: ConfigRecord; state: SecretState };

/** A secret, shown as dots. It can be set, replaced or removed, and is never read back. */
export function SecretField({ record, state }: FieldProps) {
  const shown = state.secret.shown(record);
  if (shown === null || state.replacing) return <SecretForm state={state} isSaved={shown !== null} />;
  return <SavedSecret record={record} state={state} shown={shown} />;
}

/** Focuses the element that replaced the pressed one. */
function useFocusWhen<T extends HTMLElement>(appeared: boolean) {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (appeared) ref.current?.focus();
  }, [appeared]);
  return ref;
}

function SavedSecret({ record, state, shown }: FieldProps & { shown: string }) {
  const { texts } = state.secret;
  const replace = useFocusWhen<HTMLButtonElement>(state.replacing === false);
  const { mutate, isPending } = useSaveSecret(state.secret, () => {});
  const remove = () =>
    confirmAction({
      question: texts.removeQuestion,
      detail: texts.removeDetail,
      confirmLabel: notificationsTexts.remove,
      onConfirm: () => mutate({ text: null, record }),
    });
  return (
    <Input.Wrapper label={texts.label} labelElement="div" description={texts.kept}>
      <Group gap="sm" mt="xs">
        <Code fz="md" px="sm" py={6}>
          {shown}
        </Code>
        <Button ref={replace} variant="default" onClick={state.replace}>
          {texts.replace}
        </Button>
        <Button variant="subtle" color="red" loading={isPending} onClick={remove}>
          {notificationsTexts.remove}
        </Button>
      </Group>
    </Input.Wrapper>
  );
}

/** Not a `<form>`: it may be inside of one, which then saves it as well. */
function SecretForm({ state, isSaved: kept }: { state: SecretState; isSaved: boolean }) {
  const { texts, hidden } = state.secret;
  const field = useFocusWhen<HTMLInputElement>(kept);
  const Field = hidden ? PasswordInput : TextInput;
  function entered(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    state.save();
  }
  return (
    <Stack gap="xs">
      <Field
        ref={field}
        size="md"
        label={texts.label}
        description={texts.kept}
        placeholder={texts.placeholder}
        value={state.typed}
        onChange={(event) => state.write(event.currentTarget.value)}
        onKeyDown={entered}
        error={state.wrong ? texts.invalid : undefined}
        autoComplete={hidden ? 'new-password' : 'off'}
        autoCapitalize="off"
        spellCheck={false}
      />
      <Group gap="sm">
        <Button variant="light" loading={state.saving} disabled={!state.unsaved} onClick={state.save}>
          {texts.save}
        </Button>
        {kept && (
          <Button variant="default" onClick={state.keep}>
            {texts.keep}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
