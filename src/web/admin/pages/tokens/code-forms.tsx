import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { closeModal, openModal } from '@mantine/modals';
import type { TokenRecord } from '../../../../contract/model.ts';
import { isBlank } from '../../../../domain/blank.ts';
import { MAX_ACCESSES, MAX_EXTENSION_DAYS, MAX_LENGTH, TOKEN_DEFAULTS } from '../../../../domain/limits.ts';
import { commonTexts } from '../../../../texts/admin/forms.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { IconPlus } from '../../../ui/icons/icons.tsx';
import { toastError } from '../../../ui/toaster/toast.ts';
import { useCodeChanges } from './use-code-changes.ts';

const texts = tokensTexts.create;

/** Creates a code. After a failure the typed values stay. */
export function CreateForm({ onMade }: { onMade: (token: TokenRecord) => void }) {
  const form = useNewCodeForm();
  const { create } = useCodeChanges();
  const made = (token: TokenRecord) => {
    form.reset();
    onMade(token);
  };
  const submit = form.onSubmit(
    (values) => create.mutate(values, { onSuccess: made }),
    // One toast for the first error; each field shows its own.
    (errors) => toastError(Object.values(errors).find((error) => typeof error === 'string') ?? texts.failed),
  );
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="nuovo-codice">
      <form onSubmit={submit} noValidate>
        <Title order={2} size="h4" id="nuovo-codice" mb="md">
          {texts.title}
        </Title>
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md" mb="md">
          <TextInput
            label={texts.nome}
            description={texts.nomeHint}
            placeholder={texts.nomePlaceholder}
            maxLength={MAX_LENGTH.tokenName}
            autoComplete="off"
            required
            {...form.getInputProps('nome')}
          />
          <NumberInput
            label={texts.max_accessi}
            description={texts.max_accessiHint}
            placeholder={String(TOKEN_DEFAULTS.max_accessi)}
            {...wholeNumber}
            {...form.getInputProps('max_accessi')}
          />
          <Stack gap="xs">
            <NumberInput
              label={texts.giorni}
              description={texts.giorniHint}
              placeholder={String(TOKEN_DEFAULTS.days)}
              disabled={form.values.never}
              {...wholeNumber}
              {...form.getInputProps('giorni')}
            />
            <Checkbox label={texts.never} {...form.getInputProps('never', { type: 'checkbox' })} />
          </Stack>
        </SimpleGrid>
        <Button type="submit" loading={create.isPending} leftSection={<IconPlus size={18} aria-hidden />}>
          {texts.submit}
        </Button>
      </form>
    </Paper>
  );
}

/** Numbers are never corrected silently; validation reports them. */
const wholeNumber = { min: 1, clampBehavior: 'none', inputMode: 'numeric' } as const;

/** A number field contains a number, or text that is not one. */
type InputValue = number | string;

const NEW_CODE: { nome: string; max_accessi: InputValue; giorni: InputValue; never: boolean } = {
  nome: '',
  max_accessi: TOKEN_DEFAULTS.max_accessi,
  giorni: TOKEN_DEFAULTS.days,
  never: false,
};

/** Form of a new code with the specification's defaults and rules (spec 5). */
function useNewCodeForm() {
  return useForm({
    mode: 'controlled',
    initialValues: NEW_CODE,
    validate: {
      nome: (nome) => (isBlank(nome) ? texts.nameRequired : null),
      max_accessi: (typed) => (isWithin(typed, MAX_ACCESSES) ? null : texts.badAccesses),
      giorni: (typed, { never }) => (never || isWithin(typed, MAX_EXTENSION_DAYS) ? null : texts.badDays),
    },
    transformValues: ({ nome, max_accessi, giorni, never }) => ({
      nome: nome.trim(),
      ...(max_accessi === '' ? {} : { max_accessi: Number(max_accessi) }),
      ...(giorni === '' && !never ? {} : { giorni: never ? null : Number(giorni) }),
    }),
  });
}

/** Returns true for a whole number from 1 to `max`, or for an empty field, which means the default. */
function isWithin(typed: InputValue, max: number): boolean {
  if (typed === '') return true;
  const number = Number(typed);
  return Number.isInteger(number) && number >= 1 && number <= max;
}

const MODAL = 'proroga';
const close = () => closeModal(MODAL);

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
    initialValues: { giorni: TOKEN_DEFAULTS.days as InputValue },
    validate: {
      giorni: (giorni) => (isWithin(giorni, MAX_EXTENSION_DAYS) ? null : texts.badDays),
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
