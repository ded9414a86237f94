import type { ReactNode } from 'react';
import type { SlotName } from '../../../../domain/media.ts';
import { slotTexts } from '../../../../texts/admin/slots.ts';
import { PageSection, type SectionRef } from '../place/place.tsx';
import { UploadArea } from './choose/upload-area.tsx';
import { SavedList } from './list/saved-list.tsx';

type MediaManagerProps = {
  slot: SlotName;
  /** If true, a failed read of the list is only logged (spec 8, second-trip details). */
  failsQuietly?: boolean;
  /** Addresses that lead to this section, if the page has several. */
  section?: SectionRef;
  /** Content between the upload area and the stored files. */
  children?: ReactNode;
};

/** Uploads and stored files of a slot. */
export function MediaManager({ slot, failsQuietly = false, section, children }: MediaManagerProps) {
  return (
    <PageSection title={slotTexts[slot].title} {...section}>
      <UploadArea slot={slot} />
      {children}
      <SavedList slot={slot} failsQuietly={failsQuietly} />
    </PageSection>
  );
}
