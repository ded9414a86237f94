import { Alert, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { closingTime, isSiteClosed } from '../../../../domain/access.ts';
import { confidentialityNotice } from '../../../../texts/access.ts';
import { eveningPageTexts } from '../../../../texts/admin/evening.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { useNow } from '../../components/live-table/use-now.ts';
import { VisitorPreview } from './seen-by-her.tsx';

const texts = eveningPageTexts.graduation;
/** Update interval in ms, because the site closes at a set time. */
const UPDATE_MS = 30_000;

type Props = {
  /** `YYYY-MM-DD`, or '' for none. */
  typed: string;
  saved: string | null;
};

/** Effects of the date: when the site closes, and the text on the access screen. */
export function Graduation({ typed, saved }: Props) {
  const now = useNow(UPDATE_MS);
  const data_laurea = typed === '' ? null : typed;
  const closed = isSiteClosed(data_laurea, now);
  return (
    <>
      <Closing data_laurea={data_laurea} closed={closed} isSaved={data_laurea === saved} />
      <VisitorPreview label={texts.preview}>
        <span>{confidentialityNotice({ data_laurea, closed })}</span>
      </VisitorPreview>
    </>
  );
}

type ClosingProps = { data_laurea: string | null; closed: boolean; isSaved: boolean };

function Closing({ data_laurea, closed, isSaved }: ClosingProps) {
  const moment = closingTime(data_laurea);
  if (moment === null) return <Text>{texts.never}</Text>;
  const words = longMoment(moment);
  if (!closed) return <Text>{texts.closes(words)}</Text>;
  return (
    <Alert color="yellow" role="status" icon={<IconLock aria-hidden />}>
      {isSaved ? texts.closed(words) : texts.willBeClosed(words)}
    </Alert>
  );
}
