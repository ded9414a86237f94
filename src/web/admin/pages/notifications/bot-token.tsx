import { Button, Code, Group, Input, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { siteSettingsSchema } from '../../../../contract/records.ts';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import type { ConfigRecord } from '../../kit/config-form/sources.ts';
import { confirmAction } from '../../shell/confirm-action.ts';
import { useSaveToken } from './use-save-token.ts';

const texts = notificationsTexts.token;

type TypingProps = {
  /** Told whether a token is written that isn't saved. */
  onTyped: (typed: boolean) => void;
};

/** The bot token: written, shown behind dots, replaced or taken away, never read back (decision 23 of the product's rules). */
export function BotToken({ record, onTyped }: TypingProps & { record: ConfigRecord }) {
  // Undefined until it has been asked for: only then does the keyboard follow from the one to the other.
  const [replacing, setReplacing] = useState<boolean>();
  const { telegram_bot_token_masked: masked } = record;
  if (masked === null || replacing)
    return (
      <TokenForm
        record={record}
        onTyped={onTyped}
        onDone={() => setReplacing(false)}
        kept={masked !== null}
      />
    );
  return (
    <KeptToken
      record={record}
      masked={masked}
      hasFocus={replacing === false}
      onReplace={() => setReplacing(true)}
    />
  );
}

/** The keyboard goes to what has just appeared in the place of what was pressed. */
function useFocusWhen<T extends HTMLElement>(appeared: boolean) {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (appeared) ref.current?.focus();
  }, [appeared]);
  return ref;
}

type KeptProps = { record: ConfigRecord; masked: string; hasFocus: boolean; onReplace: () => void };

function KeptToken({ record, masked, hasFocus, onReplace }: KeptProps) {
  const replace = useFocusWhen<HTMLButtonElement>(hasFocus);
  const { mutate, isPending } = useSaveToken(() => {});
  const remove = () =>
    confirmAction({
      question: texts.removeQuestion,
      detail: texts.removeDetail,
      confirmLabel: notificationsTexts.remove,
      onConfirm: () => mutate({ token: null, record }),
    });
  return (
    <Input.Wrapper label={texts.label} labelElement="div" description={texts.kept}>
      <Group gap="sm" mt="xs">
        <Code fz="md" px="sm" py={6}>
          {masked}
        </Code>
        <Button ref={replace} variant="default" onClick={onReplace}>
          {texts.replace}
        </Button>
        <Button variant="subtle" color="red" loading={isPending} onClick={remove}>
          {notificationsTexts.remove}
        </Button>
      </Group>
    </Input.Wrapper>
  );
}

type FormProps = TypingProps & { record: ConfigRecord; kept: boolean; onDone: () => void };

function TokenForm({ record, kept, onTyped, onDone }: FormProps) {
  const field = useFocusWhen<HTMLInputElement>(kept);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const { mutate, isPending } = useSaveToken(done);
  function write(text: string) {
    setTyped(text);
    setWrong(false);
    onTyped(text.trim() !== '');
  }
  function done() {
    write('');
    onDone();
  }
  function submitted(event: FormEvent) {
    event.preventDefault();
    const token = typed.trim();
    const fits = siteSettingsSchema.shape.telegram_bot_token.safeParse(token).success;
    setWrong(!fits);
    if (fits) mutate({ token, record });
  }
  return (
    <form method="dialog" onSubmit={submitted} noValidate>
      <Stack gap="xs">
        <TextInput
          ref={field}
          size="md"
          label={texts.label}
          description={texts.kept}
          placeholder={texts.placeholder}
          value={typed}
          onChange={(event) => write(event.currentTarget.value)}
          error={wrong ? texts.invalid : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <Group gap="sm">
          <Button type="submit" variant="light" loading={isPending} disabled={typed.trim() === ''}>
            {texts.save}
          </Button>
          {kept && (
            <Button variant="default" onClick={done}>
              {texts.keep}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
