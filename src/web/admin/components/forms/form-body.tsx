import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { keysOf } from '../../../../domain/records.ts';
import { SaveBar } from '../save-state.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { Values } from './merge-values.ts';
import type { FieldValue } from './same-value.ts';
import type { Versioned } from './save-merging.ts';
import { DraftOffer, SaveError } from './unsaved-notice.tsx';
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

/** Save state and «Salva». Text saves automatically; the button saves at once and confirms it. */
export function FormSaveBar<R extends Versioned, V extends Values>({
  form: { id, saveState, blankHint: wanting, blocked, saving },
}: Pick<FormBodyProps<R, V>, 'form'>) {
  return <SaveBar state={saveState} form={id} blankHint={wanting} blocked={blocked} saving={saving} />;
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
        const field = keysOf(values).find((own) => own === name);
        if (field !== undefined) choose(field, whose);
      }}
    />
  );
}

function valueOf(values: Values, field: string): FieldValue {
  return values[field] ?? '';
}
