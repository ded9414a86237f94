import { Alert, Button, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { isBlank } from '../../../../domain/blank.ts';
import { formTexts } from '../../../../texts/admin/forms.ts';
import type { FieldValue } from './same-value.ts';

type ConflictPanelProps = {
  /** Each field changed in two windows, with its label and both texts. */
  conflicts: { field: string; label: string; mine: FieldValue; theirs: FieldValue }[];
  onChoose: (field: string, whose: 'mine' | 'theirs') => void;
};

const texts = formTexts.conflict;

/** Shows both texts side by side; both remain until one is chosen. */
export function ConflictPanel({ conflicts, onChoose }: ConflictPanelProps) {
  return (
    <Alert color="red" icon={<IconArrowsSplit2 aria-hidden />} title={texts.title}>
      <Stack>
        <Text size="sm">{texts.hint}</Text>
        {conflicts.map(({ field, label, mine, theirs }) => (
          <Stack key={field} gap="xs" role="group" aria-label={label}>
            <Text fw={600}>{label}</Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <OneText
                title={texts.mine}
                value={mine}
                action={texts.keepMine}
                onChoose={() => onChoose(field, 'mine')}
              />
              <OneText
                title={texts.theirs}
                value={theirs}
                action={texts.useTheirs}
                onChoose={() => onChoose(field, 'theirs')}
              />
            </SimpleGrid>
          </Stack>
        ))}
      </Stack>
    </Alert>
  );
}

type OneTextProps = { title: string; value: FieldValue; action: string; onChoose: () => void };

function OneText({ title, value, action, onChoose }: OneTextProps) {
  return (
    <Paper withBorder p="sm" role="group" aria-label={title}>
      <Stack gap="xs" h="100%">
        <Text size="sm" c="dimmed">
          {title}
        </Text>
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{shown(value)}</Text>
        <Button variant="default" mt="auto" onClick={onChoose}>
          {action}
        </Button>
      </Stack>
    </Paper>
  );
}

function shown(value: FieldValue): string {
  const text =
    typeof value === 'object'
      ? value.map((item, index) => `${index + 1}. ${item}`).join('\n')
      : String(value);
  return isBlank(text) ? texts.blank : text;
}
