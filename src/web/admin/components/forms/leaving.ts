import type { LeaveGuardProps } from './leave-guard.tsx';

/** What leaving asks of a form. */
type Left = {
  dirty: boolean;
  saving: boolean;
  failure: string | null;
  saveQuietly: (() => void) | null;
  draft: { discard: () => void };
};

/** The guard of a page with several forms, each of which saves what is its own: a router knows one guard at a time. */
export function combineLeaveGuards(forms: readonly Left[]): LeaveGuardProps {
  const dirty = forms.filter((form) => form.dirty);
  const savable = dirty.filter(({ saveQuietly }) => saveQuietly !== null);
  return {
    when: dirty.length > 0,
    saving: dirty.some(({ saving }) => saving),
    // What can be saved is, also where another can't: that one is asked about alone.
    onSave: savable.length === 0 ? null : () => savable.forEach(({ saveQuietly }) => saveQuietly?.()),
    asks: dirty.some(({ failure }) => failure !== null),
    onLeave: () => dirty.forEach(({ draft }) => draft.discard()),
  };
}
