import { Text } from '@mantine/core';
import { keepsakeStands } from '../../../../domain/keepsake.ts';
import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import { longDay } from '../../../../texts/dates.ts';
import { useNow } from '../../components/live-table/use-now.ts';

const texts = eveningPageTexts.keepsake;
/** A day ends at a moment: looked at this often, in milliseconds. */
const LOOK_MS = 30_000;

/** What the day does. `typed`: `YYYY-MM-DD`, or '' for none. */
export function Keepsake({ typed }: { typed: string }) {
  const now = useNow(LOOK_MS);
  if (typed === '') return <Text>{texts.none}</Text>;
  return <Text>{keepsakeStands(typed, now) ? texts.until(longDay(typed)) : texts.past}</Text>;
}
