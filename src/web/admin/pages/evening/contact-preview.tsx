import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import { experienceTexts } from '../../../../texts/experience.ts';
import { SeenByHer } from './seen-by-her.tsx';

/** The notice of a forced disconnect with this contact (spec 8). */
export function ContactPreview({ contatto }: { contatto: string }) {
  return (
    <SeenByHer label={eveningPageTexts.contact.preview}>
      <strong>{experienceTexts.disconnected}</strong>
      <span>{contatto === '' ? experienceTexts.noContact : experienceTexts.contact(contatto)}</span>
    </SeenByHer>
  );
}
