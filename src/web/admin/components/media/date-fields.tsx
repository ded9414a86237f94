import { SimpleGrid, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { tripMediaTexts as texts } from '../../../../texts/admin/media.ts';

type DateFieldsProps = {
  /** What the form gives its two inputs. */
  departure: TextInputProps;
  back: TextInputProps;
};

/** The two dates of a trip: free text, as she will read it (spec 3). */
export function DateFields({ departure, back }: DateFieldsProps) {
  const shared = {
    placeholder: texts.datePlaceholder,
    maxLength: MAX_LENGTH.date,
    size: 'md',
    autoComplete: 'off',
  } as const;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {texts.datesHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={texts.departure} {...shared} {...departure} />
        <TextInput label={texts.return} {...shared} {...back} />
      </SimpleGrid>
    </Stack>
  );
}
