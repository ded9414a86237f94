import { Alert, Anchor, Badge, Button, Group, Paper, Text } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import { IMAGE_SLOTS, MEDIA_SLOTS, type SlotName } from '../../../../../domain/media.ts';
import { dayOf, humanSize } from '../../../../../texts/admin/formats.ts';
import { savedTexts as texts } from '../../../../../texts/admin/media.ts';
import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { thumbnailOf } from '../../../../scenes/sized-picture.ts';
import {
  IconAlertTriangle,
  IconCheck,
  IconExternalLink,
  IconFileTypePdf,
  IconTrash,
} from '../../../../ui/icons/icons.tsx';
import { confirmAction } from '../../confirm-action.ts';
import { BusyButton } from '../../working-button.tsx';
import { CaptionsButton } from '../captions/captions-form.tsx';
import { LightVersion, PosterButton } from '../film-options.tsx';
import { FilmPlayer } from '../film-player.tsx';
import { FocusButton } from '../focus/focus-form.tsx';
import { useActivateFile, useDeleteFile } from '../saved.ts';
import styles from './saved-list.module.css';
import { TicketFindings } from './ticket-findings.tsx';

type SavedCardProps = { slot: SlotName; item: MediaItem };

/** A stored file: its preview, name, state and actions. */
export function SavedCard({ slot, item }: SavedCardProps) {
  const video = useRef<HTMLVideoElement>(null);
  const picture = IMAGE_SLOTS.find((each) => each === slot);
  return (
    <Paper component="li" withBorder className={styles.card} data-active={item.attivo}>
      <div className={styles.shown}>
        <PreviewContent item={item} video={video} />
      </div>
      <div className={styles.words}>
        <Group gap="xs" justify="space-between" align="flex-start" wrap="nowrap">
          <Text className={styles.name}>{item.nome}</Text>
          {item.attivo && (
            <Badge
              color="green"
              variant="light"
              tt="none"
              flex="none"
              leftSection={<IconCheck size={14} aria-hidden />}
            >
              {texts.active(slot)}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {humanSize(item.size)} · {texts.uploadedOn(slot, dayOf(item.created_at))}
        </Text>
        <Warnings item={item} />
        <TicketFindings item={item} />
        <LightVersion item={item} />
        {MEDIA_SLOTS[slot].kind === 'video' ? (
          <>
            <PosterButton item={item} video={video} />
            <CaptionsButton item={item} />
          </>
        ) : (
          <Anchor
            href={item.url}
            target="_blank"
            rel="noopener"
            size="sm"
            className={styles.view}
            aria-label={texts.viewOf(item.nome)}
          >
            {texts.view} <IconExternalLink size={14} aria-hidden />
          </Anchor>
        )}
        {picture !== undefined && <FocusButton slot={picture} item={item} />}
        <Buttons slot={slot} item={item} />
      </div>
    </Paper>
  );
}

/** Warnings about a file that was stored with possible problems. */
export function Warnings({ item: { warnings, content_type } }: { item: MediaItem }) {
  const sentences = content_type.startsWith('audio/')
    ? { ...texts.warnings, HEAVY: texts.heavySong }
    : texts.warnings;
  return warnings.map((warning) => (
    <Alert key={warning} color="yellow" icon={<IconAlertTriangle aria-hidden />} p="xs">
      {sentences[warning]}
    </Alert>
  ));
}

function Buttons({ slot, item }: SavedCardProps) {
  const choose = useActivateFile(slot);
  const remove = useAskToRemove(slot);
  return (
    <Group className={styles.buttons} gap="xs">
      {!item.attivo && (
        <BusyButton
          variant="light"
          size="sm"
          aria-label={texts.chooseOf(item.nome)}
          working={choose.isPending}
          onClick={() => choose.mutate(item)}
        >
          {texts.choose}
        </BusyButton>
      )}
      <Button
        variant="subtle"
        color="red"
        size="sm"
        aria-label={texts.removeOf(item.nome)}
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={remove.working}
        onClick={() => remove.ask(item)}
      >
        {texts.remove}
      </Button>
    </Group>
  );
}

type ShownProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null> };

/** Preview of a stored file: player, picture, or a document's first page. */
function PreviewContent({ item, video }: ShownProps) {
  if (item.content_type.startsWith('video/'))
    return <FilmPlayer item={item} video={video} label={texts.playerOf(item.nome)} />;
  if (item.content_type.startsWith('image/'))
    return <img src={thumbnailOf(item.url)} alt="" loading="lazy" />;
  const [first] = item.pages ?? [];
  if (first !== undefined) return <img src={first.small_url} alt="" loading="lazy" />;
  return <IconFileTypePdf size={48} stroke={1.3} aria-hidden />;
}

/** Deletes a file after the specification's question. For the active file, the dialog states the effect on the surprise. */
export function useAskToRemove(slot: SlotName) {
  const remove = useDeleteFile(slot);
  const { removeQuestion, removeActive } = slotTexts[slot];
  return {
    working: remove.isPending,
    ask: (item: MediaItem) =>
      confirmAction({
        question: removeQuestion,
        detail: item.attivo ? removeActive : item.nome,
        confirmLabel: texts.remove,
        onConfirm: () => remove.mutate(item),
      }),
  };
}
