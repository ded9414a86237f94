import { Alert, Text } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { isTooEarly } from '../../../../domain/opening-time.ts';
import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import { dayAndHour, tooEarly } from '../../../../texts/opening-time.ts';
import { useNow } from '../../components/live-table/use-now.ts';
import { fromLocalMoment } from './local-moment.ts';
import { VisitorPreview } from './seen-by-her.tsx';

const texts = eveningPageTexts.opening;
/** Update interval in ms, because the opening is at a set time. */
const UPDATE_MS = 30_000;

/** In this device's time zone. */
const withYear = (moment: string) => dayAndHour(moment, undefined, 'numeric');

/** Effects of the opening time: when codes become valid, and the text for an early visitor. @param typed the field's value */
export function Opening({ typed }: { typed: string }) {
  const now = useNow(UPDATE_MS);
  const moment = typed === '' ? null : fromLocalMoment(typed);
  if (typed !== '' && moment === null) return null;
  if (moment === null) return <Text>{texts.none}</Text>;
  if (!isTooEarly(moment, now)) return <Text>{texts.past(withYear(moment))}</Text>;
  return (
    <>
      <Alert color="wine" role="status" icon={<IconHourglass aria-hidden />}>
        {texts.until(withYear(moment))}
      </Alert>
      <VisitorPreview label={texts.preview}>
        <span>{tooEarly(dayAndHour(moment))}</span>
      </VisitorPreview>
    </>
  );
}
