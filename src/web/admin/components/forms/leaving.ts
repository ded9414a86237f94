import type { LeaveGuardProps } from './leave-guard.tsx';

/** Form state that a leave guard needs. */
type Left = {
  dirty: boolean;
  saving: boolean;
  failure: string | null;
  saveQuietly: (() => void) | null;
  draft: { discard: () => void };
};

/** Returns one guard for a page with several forms, because a router supports one guard at a time. */
export function combineLeaveGuards(forms: readonly Left[]): LeaveGuardProps {
  const dirty = forms.filter((form) => form.dirty);
  const savable = dirty.filter(({ saveQuietly }) => saveQuietly !== null);
  return {
    when: dirty.length > 0,
    saving: dirty.some(({ saving }) => saving),
    // Saves all forms that can be saved; the dialog then asks about the rest.
    onSave: savable.length === 0 ? null : () => savable.forEach(({ saveQuietly }) => saveQuietly?.()),
    needsConfirmation: dirty.some(({ failure }) => failure !== null),
    onLeave: () => dirty.forEach(({ draft }) => draft.discard()),
  };
}
