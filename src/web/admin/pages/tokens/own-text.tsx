import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { eachOf, keysOf } from '../../../../domain/records.ts';
import { tokensTexts } from '../../../../texts/admin/tokens.ts';
import { IconAlertTriangle, IconPencil } from '../../../ui/icons/icons.tsx';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { LineField, LinesField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';

const texts = tokensTexts.own;

/** Each text that can replace ours: input, limit, our text, and placeholders. */
const KINDS = {
  share_message: {
    Input: LinesField,
    max: MAX_LENGTH.shareMessage,
    usual: tokensTexts.usualMessage,
    places: ['{nome}', '{indirizzo}', '{codice}'],
  },
  card_title: {
    Input: LineField,
    max: MAX_LENGTH.cardTitle,
    usual: tokensTexts.card.usualTitle,
    places: ['{nome}'],
  },
} as const;

type OwnValues = { own: string };
type OwnTextOptions = RecordFormOptions<ConfigRecord, OwnValues>;

/** Form of each text. Our text, or none, is stored as null. */
export const ownTextForms = eachOf(keysOf(KINDS), (field): OwnTextOptions => {
  const { usual } = KINDS[field];
  return {
    name: field,
    source: configSource,
    labels: { own: texts.label[field] },
    toValues: (config) => ({ own: config[field] ?? usual }),
    toFields: ({ own }) => ({ [field]: own.trim() === usual ? null : storedText(own) }),
    sentences: { saved: texts.saved, loadFailed: tokensTexts.loadFailed, saveFailed: texts.saveFailed },
  };
});

type OwnTextProps = {
  form: RecordForm<ConfigRecord, OwnValues>;
  field: keyof typeof KINDS;
  /** Placeholders that the text lacks. */
  lacks?: readonly string[];
};

/** A button that opens the text's editor, with its placeholders and the way back to our text. */
export function OwnText({ form, field, lacks = [] }: OwnTextProps) {
  const [isOpen, setIsOpen] = useState(form.draft.offered);
  /** The own text that «Torna al testo di prima» replaced. */
  const [mine, setMine] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) focusAt(inputIn(box.current), MAX_LENGTH.shareMessage);
  }, [isOpen]);
  if (!isOpen)
    return (
      <Button
        variant="subtle"
        leftSection={<IconPencil size={18} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {texts.edit[field]}
      </Button>
    );
  const { Input, max, usual, places } = KINDS[field];
  const insert = (place: string) => {
    const input = inputIn(box.current);
    const { own } = form.values;
    const start = input?.selectionStart ?? own.length;
    const text = own.slice(0, start) + place + own.slice(input?.selectionEnd ?? start);
    if (text.length > max) return;
    flushSync(() => form.input('own').onChange(text));
    focusAt(input, start + place.length);
  };
  const isOwn = form.values.own.trim() !== usual;
  const swap = () => {
    if (isOwn) setMine(form.values.own);
    form.input('own').onChange(isOwn ? usual : mine);
  };
  return (
    <FormBody form={form} guarded={false}>
      <Stack ref={box} gap="xs">
        <Input form={form} field="own" max={max} description={texts.every} />
        <Text size="sm">{texts.places[field]}</Text>
        <Group gap="xs">
          {places.map((place) => (
            <Button
              key={place}
              variant="default"
              aria-label={texts.insert(place)}
              // The field keeps the focus, and a phone its keyboard.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(place)}
            >
              {place}
            </Button>
          ))}
        </Group>
        {lacks.length > 0 && (
          <Alert color="yellow" role="status" icon={<IconAlertTriangle aria-hidden />}>
            {texts.lacks(lacks)}
          </Alert>
        )}
        {(isOwn || mine !== null) && (
          <Button variant="subtle" onClick={swap}>
            {isOwn ? texts.usual : texts.mine}
          </Button>
        )}
      </Stack>
    </FormBody>
  );
}

const inputIn = (box: HTMLElement | null) =>
  box?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');

function focusAt(input: ReturnType<typeof inputIn>, caret: number): void {
  input?.focus();
  input?.setSelectionRange(caret, caret);
}
