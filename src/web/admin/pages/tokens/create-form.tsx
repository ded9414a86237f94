import { Button, Checkbox, NumberInput, Paper, Stack, TextInput, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { TokenRecord } from '../../../../contract/records.ts';
import { MAX_LENGTH, TOKEN_DEFAULTS } from '../../../../domain/limits.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import styles from './create-form.module.css';
import { useNewCodeForm } from './new-code-form.ts';
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
        <div className={styles.fields}>
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
          <Button
            type="submit"
            className={styles.submit}
            loading={create.isPending}
            leftSection={<IconPlus size={18} aria-hidden />}
          >
            {texts.submit}
          </Button>
        </div>
      </form>
    </Paper>
  );
}

/** Numbers are never corrected silently; validation reports them. */
const wholeNumber = { min: 1, clampBehavior: 'none', inputMode: 'numeric' } as const;
