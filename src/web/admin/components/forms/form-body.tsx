import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { formTexts } from '../../../../texts/admin/forms.ts';
import { IconAlertTriangle, IconArrowsSplit2, IconHistory } from '../../../ui/icons/icons.tsx';
import { SaveBar } from '../save-state.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { FieldValue, Values } from './merge.ts';
import type { Versioned } from './save-merging.ts';
import type { RecordForm } from './use-record-form.ts';

type FormBodyProps<R extends Versioned, V extends Values> = {
  form: RecordForm<R, V>;
  /** The save bar is placed outside the form. */
  barAside?: boolean;
  /** Includes its own leave guard. False if one guard covers several forms of a page. */
  guarded?: boolean;
  /** The fields. */
  children: ReactNode;
};

/** A record's form with draft offer, conflicts, save error, leave guard and «Salva». */
export function FormBody<R extends Versioned, V extends Values>({
  form,
  barAside = false,
  guarded = true,
  children,
}: FormBodyProps<R, V>) {
  const { draft, failure, conflict, saving, dirty, saveQuietly } = form;
  return (
    <form
      id={form.id}
      method="dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
    >
      <Stack>
        {guarded && (
          <LeaveGuard
            when={dirty}
            saving={saving}
            onSave={saveQuietly}
            needsConfirmation={failure !== null}
            onLeave={draft.discard}
          />
        )}
        {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
        {children}
        {conflict && <Conflicts form={form} conflict={conflict} />}
        {failure !== null && dirty && !saving && <SaveError sentence={failure} onRetry={form.save} />}
        {!barAside && <FormSaveBar form={form} />}
      </Stack>
    </form>
  );
}

/** Save state of a form, and its «Salva». */
export function FormSaveBar<R extends Versioned, V extends Values>({
  form: { id, saveState, blankHint, blocked, options },
}: Pick<FormBodyProps<R, V>, 'form'>) {
  const form = options.withoutButton === true ? undefined : id;
  return <SaveBar state={saveState} form={form} blankHint={blankHint} blocked={blocked} />;
}

const texts = formTexts.conflict;

type ConflictsProps<R extends Versioned, V extends Values> = {
  form: RecordForm<R, V>;
  conflict: { fields: (keyof V & string)[]; theirs: V };
};

/** Shows both texts of each field changed in two windows side by side; both remain until one is chosen. */
function Conflicts<R extends Versioned, V extends Values>({ form, conflict }: ConflictsProps<R, V>) {
  const { values, options, choose } = form;
  return (
    <Alert color="red" icon={<IconArrowsSplit2 aria-hidden />} title={texts.title}>
      <Stack>
        <Text size="sm">{texts.hint}</Text>
        {conflict.fields.map((field) => (
          <Stack key={field} gap="xs" role="group" aria-label={options.labels[field]}>
            <Text fw={600}>{options.labels[field]}</Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <OneText
                title={texts.mine}
                value={values[field]}
                action={texts.keepMine}
                onChoose={() => choose(field, 'mine')}
              />
              <OneText
                title={texts.theirs}
                value={conflict.theirs[field]}
                action={texts.useTheirs}
                onChoose={() => choose(field, 'theirs')}
              />
            </SimpleGrid>
          </Stack>
        ))}
      </Stack>
    </Alert>
  );
}

type OneTextProps = { title: string; value: FieldValue | undefined; action: string; onChoose: () => void };

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

function shown(value: FieldValue = ''): string {
  const text =
    typeof value === 'object'
      ? value.map((item, index) => `${index + 1}. ${item}`).join('\n')
      : String(value);
  return isBlank(text) ? texts.blank : text;
}

/** A failed save: its reason and a retry button. */
export function SaveError({ sentence, onRetry }: { sentence: string; onRetry: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={formTexts.notSaved}>
      <Group justify="space-between">
        <Text size="sm">{sentence}</Text>
        <Button variant="default" onClick={onRetry}>
          {formTexts.retry}
        </Button>
      </Group>
    </Alert>
  );
}

/** Offers to restore text from an earlier page load. */
export function DraftOffer({ onRestore, onDiscard }: { onRestore: () => void; onDiscard: () => void }) {
  return (
    <Alert color="yellow" icon={<IconHistory aria-hidden />} role="status">
      <Group justify="space-between">
        <Text size="sm">{formTexts.draft.title}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={onRestore}>
            {formTexts.draft.restore}
          </Button>
          <Button variant="subtle" onClick={onDiscard}>
            {formTexts.draft.discard}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
