import type { ReactNode } from 'react';
import type { SlotName } from '../../../../domain/media-slots.ts';
import { slotTexts } from '../../../../texts/admin/slots.ts';
import { PageSection, type SectionRef } from '../place/place.tsx';
import { UploadArea } from './choose/upload-area.tsx';
import { SavedList } from './list/saved-list.tsx';

type MediaManagerProps = {
  slot: SlotName;
  /** A list that can't be read is only logged (spec 8, second-trip details). */
  failsQuietly?: boolean;
  /** Which addresses lead to it, where it is one part of several. */
  place?: SectionRef;
  /** What stands between the new file and the saved ones. */
  children?: ReactNode;
};

/** Everything about the files of a slot: a new one comes in, the saved ones are used and deleted. */
export function MediaManager({ slot, failsQuietly = false, place, children }: MediaManagerProps) {
  return (
    <PageSection title={slotTexts[slot].title} {...place}>
      <UploadArea slot={slot} />
      {children}
      <SavedList slot={slot} failsQuietly={failsQuietly} />
    </PageSection>
  );
}
