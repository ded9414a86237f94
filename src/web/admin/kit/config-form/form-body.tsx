import { Group, Stack } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formTexts } from '../../../../texts/admin/forms.ts';
import { shellTexts } from '../../../../texts/admin/shell.ts';
import { WorkingButton } from '../../shell/working-button.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { Values } from './merge-values.ts';
import { type FieldValue, fieldsOf } from './same-value.ts';
import type { Versioned } from './save-merging.ts';
import { DraftOffer, NotSaved } from './unsaved-notice.tsx';
import type { RecordForm } from './use-record-form.ts';

type FormBodyProps<R extends Versioned, V extends Values> = {
  form: RecordForm<R, V>;
  /** Is something else on the page written and not saved? Leaving asks about it, too. */
  alsoUnsaved?: boolean;
  /** The fields. */
  children: ReactNode;
};

/** The fields of a record's form with all that may happen to them: a draft, a conflict, a failure, leaving; and «Salva». */
export function FormBody<R extends Versioned, V extends Values>({
  form,
  alsoUnsaved = false,
  children,
}: FormBodyProps<R, V>) {
  const { draft, failure, conflict, saving, blocked, dirty } = form;
  return (
    <form
      method="dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
    >
      <Stack>
        <LeaveGuard when={dirty || alsoUnsaved} saving={saving && !alsoUnsaved} onLeave={draft.discard} />
        {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
        {children}
        {conflict && <Conflicts form={form} conflict={conflict} />}
        {failure !== null && dirty && !saving && <NotSaved sentence={failure} onRetry={form.save} />}
        <Group>
          <WorkingButton
            type="submit"
            size="md"
            disabled={blocked}
            working={saving}
            leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          >
            {saving ? shellTexts.saveStates.saving : formTexts.save}
          </WorkingButton>
        </Group>
      </Stack>
    </form>
  );
}

function Conflicts<R extends Versioned, V extends Values>({
  form: { values, options, choose },
  conflict: { fields, theirs },
}: {
  form: RecordForm<R, V>;
  conflict: { fields: (keyof V & string)[]; theirs: V };
}) {
  const conflicts = fields.map((field) => ({
    field,
    label: String(options.labels[field]),
    mine: valueOf(values, field),
    theirs: valueOf(theirs, field),
  }));
  return (
    <ConflictPanel
      conflicts={conflicts}
      onChoose={(name, whose) => {
        const field = fieldsOf(values).find((own) => own === name);
        if (field !== undefined) choose(field, whose);
      }}
    />
  );
}

function valueOf(values: Values, field: string): FieldValue {
  return values[field] ?? '';
}
