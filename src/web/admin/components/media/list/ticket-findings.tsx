import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import { isUnreadable, type TicketSlot } from '../../../../../domain/media.ts';
import { ticketPageTexts as texts } from '../../../../../texts/admin/slots.ts';
import { IconAlertTriangle } from '../../../../ui/icons/icons.tsx';
import { queries } from '../../../api.ts';
import styles from './saved-list.module.css';

type NumberedPage = NonNullable<MediaItem['pages']>[number] & { number: number };

/** Ticket pages that may render wrongly, each with its picture for a visual check. */
export function TicketFindings({ item: { pages } }: { item: MediaItem }) {
  if (pages === null) return null;
  if (pages.length === 0) return <Finding text={texts.undrawable} pages={[]} />;
  const found = withFinding(pages);
  const unreadable = found.filter(isUnreadable);
  const fonts = found.filter((page) => !isUnreadable(page));
  return (
    <>
      {unreadable.length > 0 && <Finding text={texts.unreadable(numbers(unreadable))} pages={unreadable} />}
      {fonts.length > 0 && <Finding text={texts.missingFont(numbers(fonts))} pages={fonts} />}
    </>
  );
}

function withFinding(pages: NonNullable<MediaItem['pages']>): NumberedPage[] {
  return pages
    .map((page, index) => ({ ...page, number: index + 1 }))
    .filter(({ finding }) => finding !== null);
}

const numbers = (pages: readonly NumberedPage[]) => pages.map(({ number }) => number);

function Finding({ text, pages }: { text: string; pages: readonly NumberedPage[] }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} p="xs">
      {text}
      <Pages pages={pages} />
    </Alert>
  );
}

function Pages({ pages }: { pages: readonly NumberedPage[] }) {
  if (pages.length === 0) return null;
  return (
    <Group gap="xs" mt="xs">
      {pages.map(({ url, small_url, number }) => (
        <a key={url} href={url} target="_blank" rel="noopener" className={styles.page}>
          <img src={small_url} alt={texts.page(number)} loading="lazy" />
        </a>
      ))}
    </Group>
  );
}

/** Pages of a trip's active tickets with a finding, as the visitor will see them. */
export function DoubtfulPages({ slot }: { slot: TicketSlot }) {
  const { data } = useQuery(queries.media.list.queryOptions({ input: { slot } }));
  const pages = data?.find(({ attivo }) => attivo)?.pages ?? [];
  return <Pages pages={withFinding(pages)} />;
}
