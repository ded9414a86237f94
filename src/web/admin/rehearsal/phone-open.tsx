import { Button, Group, Text } from '@mantine/core';
import { rehearsalTexts as texts } from '../../../texts/rehearsal.ts';
import { useIsOver } from './use-is-over.ts';
import { useClosePass, useOpenUntil } from './use-phone-pass.ts';

/** While phones may come in: until when, and the way to close. */
export function PhoneOpen() {
  const scadenza = useOpenUntil();
  return scadenza === null ? null : <OpenUntil scadenza={scadenza} />;
}

function OpenUntil({ scadenza }: { scadenza: string }) {
  const over = useIsOver(scadenza);
  const { mutate, isPending } = useClosePass();
  if (over) return null;
  return (
    <Group>
      <Text>{texts.phoneOpen(scadenza)}</Text>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {texts.closePhone}
      </Button>
    </Group>
  );
}
