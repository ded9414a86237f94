import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { closeModal, openModal } from '@mantine/modals';
import type { TokenRecord } from '../../../../contract/records.ts';
import { MAX_EXTENSION_DAYS, TOKEN_DEFAULTS } from '../../../../domain/limits.ts';
import { commonTexts } from '../../../../texts/admin/common.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { isWithin } from './new-code-form.ts';
import { useCodeChanges } from './use-code-changes.ts';

const MODAL = 'proroga';
const close = () => closeModal(MODAL);

/** A number field contains a number, or text that is not one. */
const DEFAULTS: { giorni: number | string } = { giorni: TOKEN_DEFAULTS.days };

/** «Proroga»: asks for the number of days. */
export function openExtend(token: TokenRecord): void {
  openModal({
    modalId: MODAL,
    title: tokensTexts.extendTitle(token.nome),
    children: <ExtendForm token={token} />,
  });
}

function ExtendForm({ token: { id, scadenza } }: { token: TokenRecord }) {
  const { extend } = useCodeChanges();
  const form = useForm({
    mode: 'controlled',
    initialValues: DEFAULTS,
    validate: {
      giorni: (giorni) => (isWithin(giorni, MAX_EXTENSION_DAYS) ? null : tokensTexts.create.badDays),
    },
    transformValues: ({ giorni }) => ({ giorni: giorni === '' ? TOKEN_DEFAULTS.days : Number(giorni) }),
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ giorni }) => extend.mutate({ id, giorni, scadenza }, { onSuccess: close }))}
    >
      <Stack>
        <NumberInput
          label={tokensTexts.extendDays}
          description={tokensTexts.extendHint}
          placeholder={String(TOKEN_DEFAULTS.days)}
          min={1}
          clampBehavior="none"
          inputMode="numeric"
          data-autofocus
          {...form.getInputProps('giorni')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" loading={extend.isPending}>
            {tokensTexts.extend}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
