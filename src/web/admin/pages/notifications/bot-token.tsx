import { Button, Code, Group, Input, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { siteSettingsSchema } from '../../../../contract/records.ts';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { useSaveToken } from './use-save-token.ts';

const texts = notificationsTexts.token;

export type BotTokenState = ReturnType<typeof useBotToken>;

/** The bot token being typed. Nothing keeps it but this: no draft, no cache. */
export function useBotToken(record: ConfigRecord) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  // Undefined until it has been asked for: only then does the keyboard follow from the one to the other.
  const [replacing, setReplacing] = useState<boolean>();
  const { mutate, isPending } = useSaveToken(keep);
  const token = typed.trim();
  const savable = siteSettingsSchema.shape.telegram_bot_token.safeParse(token).success;
  function write(text: string): void {
    setTyped(text);
    setWrong(false);
  }
  /** Goes back to the one that is saved. */
  function keep(): void {
    write('');
    setReplacing(false);
  }
  return {
    typed,
    write,
    unsaved: token !== '',
    wrong,
    savable,
    saving: isPending,
    save(): void {
      setWrong(!savable);
      if (savable) mutate({ token, record });
    },
    replacing,
    replace: () => setReplacing(true),
    keep,
  };
}

type TokenProps = { record: ConfigRecord; token: BotTokenState };

/** The bot token: written, shown behind dots, replaced or taken away, never read back (decision 23 of the product's rules). */
export function BotToken({ record, token }: TokenProps) {
  const { telegram_bot_token_masked: masked } = record;
  if (masked === null || token.replacing) return <TokenForm token={token} kept={masked !== null} />;
  return (
    <KeptToken
      record={record}
      masked={masked}
      hasFocus={token.replacing === false}
      onReplace={token.replace}
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

function TokenForm({ token, kept }: { token: BotTokenState; kept: boolean }) {
  const field = useFocusWhen<HTMLInputElement>(kept);
  function submitted(event: FormEvent) {
    event.preventDefault();
    token.save();
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
          value={token.typed}
          onChange={(event) => token.write(event.currentTarget.value)}
          error={token.wrong ? texts.invalid : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <Group gap="sm">
          <Button type="submit" variant="light" loading={token.saving} disabled={!token.unsaved}>
            {texts.save}
          </Button>
          {kept && (
            <Button variant="default" onClick={token.keep}>
              {texts.keep}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
