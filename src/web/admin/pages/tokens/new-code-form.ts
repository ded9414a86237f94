import { useForm } from '@mantine/form';
import { isBlank } from '../../../../domain/blank.ts';
import { MAX_ACCESSES, MAX_EXTENSION_DAYS, TOKEN_DEFAULTS } from '../../../../domain/limits.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';

const { nameRequired, badAccesses, badDays } = tokensTexts.create;

/** A number field contains a number, or text that is not one. */
type InputValue = number | string;

const DEFAULTS: { nome: string; max_accessi: InputValue; giorni: InputValue; never: boolean } = {
  nome: '',
  max_accessi: TOKEN_DEFAULTS.max_accessi,
  giorni: TOKEN_DEFAULTS.days,
  never: false,
};

/** Form of a new code with the specification's defaults and rules (spec 5). */
export function useNewCodeForm() {
  return useForm({
    mode: 'controlled',
    initialValues: DEFAULTS,
    validate: {
      nome: (nome) => (isBlank(nome) ? nameRequired : null),
      max_accessi: (typed) => (isWithin(typed, MAX_ACCESSES) ? null : badAccesses),
      giorni: (typed, { never }) => (never || isWithin(typed, MAX_EXTENSION_DAYS) ? null : badDays),
    },
    transformValues: ({ nome, max_accessi, giorni, never }) => ({
      nome: nome.trim(),
      ...(max_accessi === '' ? {} : { max_accessi: Number(max_accessi) }),
      ...(giorni === '' && !never ? {} : { giorni: never ? null : Number(giorni) }),
    }),
  });
}

/** Returns true for a whole number from 1 to `most`, or for an empty field, which means the default. */
export function isWithin(typed: InputValue, max: number): boolean {
  if (typed === '') return true;
  const number = Number(typed);
  return Number.isInteger(number) && number >= 1 && number <= max;
}
