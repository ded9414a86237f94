import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { SaveBar } from '../../shell/save-state.tsx';
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
  /** Where saving stands, with its button, has a place of its own beside the form. */
  barAside?: boolean;
  /** The fields. */
  children: ReactNode;
};

/** The fields of a record's form with all that may happen to them: a draft, a conflict, a failure, leaving; and «Salva». */
export function FormBody<R extends Versioned, V extends Values>({
  form,
  alsoUnsaved = false,
  barAside = false,
  children,
}: FormBodyProps<R, V>) {
  const { draft, failure, conflict, saving, dirty } = form;
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
        <LeaveGuard
          when={dirty || alsoUnsaved}
          saving={saving && !alsoUnsaved}
          onSave={alsoUnsaved ? null : form.saveQuietly}
          asks={failure !== null}
          onLeave={draft.discard}
        />
        {draft.offered && <DraftOffer onRestore={draft.restore} onDiscard={draft.discard} />}
        {children}
        {conflict && <Conflicts form={form} conflict={conflict} />}
        {failure !== null && dirty && !saving && <NotSaved sentence={failure} onRetry={form.save} />}
        {!barAside && <FormSaveBar form={form} alsoUnsaved={alsoUnsaved} />}
      </Stack>
    </form>
  );
}

/** Where saving stands, and «Salva»: what is typed saves itself, who presses it has it done at once and is told. */
export function FormSaveBar<R extends Versioned, V extends Values>({
  form: { id, saveState, wanting, blocked, saving },
  alsoUnsaved = false,
}: Pick<FormBodyProps<R, V>, 'form' | 'alsoUnsaved'>) {
  const state = alsoUnsaved && saveState === 'saved' ? 'unsaved' : saveState;
  return <SaveBar state={state} form={id} wanting={wanting} blocked={blocked} saving={saving} />;
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
