import { Alert, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { isUnreadable } from '../../../../../domain/ticket-pages.ts';
import { ticketPageTexts as texts } from '../../../../../texts/admin/tickets.ts';
import styles from './saved-list.module.css';

type NumberedPage = NonNullable<MediaItem['pages']>[number] & { number: number };

/** The pages of tickets that may not be drawn as they are meant, each with its picture, so that the administrator can judge. */
export function TicketFindings({ item: { pages } }: { item: MediaItem }) {
  if (pages === null) return null;
  if (pages.length === 0) return <Finding text={texts.undrawable} pages={[]} />;
  const found = pages
    .map((page, index) => ({ ...page, number: index + 1 }))
    .filter(({ finding }) => finding !== null);
  const unreadable = found.filter(isUnreadable);
  const fonts = found.filter((page) => !isUnreadable(page));
  return (
    <>
      {unreadable.length > 0 && <Finding text={texts.unreadable(numbers(unreadable))} pages={unreadable} />}
      {fonts.length > 0 && <Finding text={texts.missingFont(numbers(fonts))} pages={fonts} />}
    </>
  );
}

const numbers = (pages: readonly NumberedPage[]) => pages.map(({ number }) => number);

function Finding({ text, pages }: { text: string; pages: readonly NumberedPage[] }) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} p="xs">
      {text}
      <Group gap="xs" mt={pages.length > 0 ? 'xs' : 0}>
        {pages.map(({ url, small_url, number }) => (
          <a key={url} href={url} target="_blank" rel="noopener" className={styles.page}>
            <img src={small_url} alt={texts.page(number)} loading="lazy" />
          </a>
        ))}
      </Group>
    </Alert>
  );
}
