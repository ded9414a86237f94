import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { MediaItem } from '../../../../../../contract/admin/media.ts';
import { JOINED_TICKETS, MEDIA_BYTES } from '../../../../../../domain/limits.ts';
import { type SlotName, TICKET_SLOTS, type TicketSlot } from '../../../../../../domain/media.ts';
import { commonTexts } from '../../../../../../texts/admin/forms.ts';
import { joinTexts as texts } from '../../../../../../texts/admin/slots.ts';
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconFiles } from '../../../../../ui/icons/icons.tsx';
import { toastSuccess } from '../../../../../ui/toaster/toast.ts';
import { api } from '../../../../api.ts';
import { isRefusal, messageOf } from '../../../../failure.ts';
import { RowAction } from '../../../row-action.tsx';
import { BusyButton } from '../../../working-button.tsx';
import { applyFile, listKey } from '../../saved.ts';
import styles from './join-rows.module.css';

type JoinTicketsProps = { slot: SlotName; items: readonly MediaItem[] };

/** Joins several tickets of a trip into one PDF. */
export function JoinTickets({ slot, items }: JoinTicketsProps) {
  const tickets = TICKET_SLOTS.find((each) => each === slot);
  return tickets === undefined || items.length < JOINED_TICKETS.min ? null : (
    <Joining slot={tickets} items={items} />
  );
}

/** The dialog of joining. It reopens after a failure, with the choices unchanged. */
function Joining({ slot, items }: { slot: TicketSlot; items: readonly MediaItem[] }) {
  const [opened, setOpened] = useState(false);
  const choice = useJoinChoice(items);
  const { mutate, isPending, error, reset } = useJoin(slot, {
    onJoined() {
      setOpened(false);
      choice.reset();
    },
    onFailed: () => setOpened(true),
  });
  const open = () => {
    if (!isPending) reset();
    setOpened(true);
  };
  return (
    <Group>
      <Button variant="subtle" size="sm" leftSection={<IconFiles size={18} aria-hidden />} onClick={open}>
        {texts.open}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={texts.open} centered>
        <Stack>
          <Text size="sm">{texts.explained}</Text>
          <JoinRows choice={choice} />
          {error !== null && (
            <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
              {isRefusal(error, 'FILE_TOO_LARGE')
                ? texts.tooHeavy(MEDIA_BYTES.tickets)
                : messageOf(error, texts.joinFailed)}
            </Alert>
          )}
          <Ending choice={choice} working={isPending} onJoin={mutate} onClose={() => setOpened(false)} />
        </Stack>
      </Modal>
    </Group>
  );
}

type EndingProps = {
  choice: JoinChoice;
  working: boolean;
  onJoin: (ids: string[]) => void;
  onClose: () => void;
};

function Ending({ choice: { chosen }, working, onJoin, onClose }: EndingProps) {
  const { min, max } = JOINED_TICKETS;
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {working && texts.working}
        {!working && chosen.length < min && texts.tooFew(min)}
        {!working && chosen.length > max && texts.tooMany(max)}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {working ? commonTexts.close : commonTexts.cancel}
        </Button>
        <BusyButton
          working={working}
          disabled={chosen.length < min || chosen.length > max}
          onClick={() => onJoin(chosen.map(({ id }) => id))}
        >
          {texts.confirm}
        </BusyButton>
      </Group>
    </>
  );
}

/** Longer than the server's timeout of one minute, so that the server reports it. */
const TIMEOUT_MS = 75_000;

type Ends = { onJoined: () => void; onFailed: () => void };

function useJoin(slot: TicketSlot, { onJoined, onFailed }: Ends) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[]) => api.media.join({ slot, ids }, { context: { timeoutMs: TIMEOUT_MS } }),
    onSuccess: (joined) => {
      applyFile(queryClient, slot, joined);
      toastSuccess(texts.saved);
      onJoined();
    },
    onError: () => {
      // A ticket may have been deleted, or only the reply was lost.
      void queryClient.invalidateQueries({ queryKey: listKey(slot) });
      onFailed();
    },
  });
}

type JoinChoice = ReturnType<typeof useJoinChoice>;

const NONE: ReadonlyMap<string, boolean> = new Map();

/** Initial order: the active ticket first; all are ticked except a joined PDF. Choices stay until reset, also when the list changes. */
function useJoinChoice(items: readonly MediaItem[]) {
  const [order, setOrder] = useState<readonly string[]>([]);
  const [ticks, setTicks] = useState(NONE);
  const shown = inOrder(items, order);
  const isChosen = ({ id, nome }: MediaItem) => ticks.get(id) ?? nome !== texts.fileName;
  return {
    /** All tickets in their order, and the ticked ones. */
    shown,
    chosen: shown.filter(isChosen),
    isChosen,
    choose: ({ id }: MediaItem, chosen: boolean) => setTicks((before) => new Map(before).set(id, chosen)),
    move(from: number, to: number) {
      const ids = shown.map(({ id }) => id);
      ids.splice(to, 0, ...ids.splice(from, 1));
      // Rendered synchronously, so that the button which moved the row keeps the focus.
      flushSync(() => setOrder(ids));
    },
    reset() {
      setOrder([]);
      setTicks(NONE);
    },
  };
}

/** Sorts by `order`; other tickets follow, the active one first. */
function inOrder(items: readonly MediaItem[], order: readonly string[]): MediaItem[] {
  const put = order.flatMap((orderedId) => items.find(({ id }) => id === orderedId) ?? []);
  const others = items.filter((item) => !put.includes(item));
  return [...put, ...others.filter(({ attivo }) => attivo), ...others.filter(({ attivo }) => !attivo)];
}

/** The tickets with checkboxes, sortable by touch and keyboard. */
function JoinRows({ choice }: { choice: JoinChoice }) {
  const { shown, isChosen, choose, move } = choice;
  return (
    <ol className={styles.list} aria-label={texts.list}>
      {shown.map((item, index) => (
        <li key={item.id} className={styles.row}>
          <Checkbox
            className={styles.name}
            label={item.nome}
            checked={isChosen(item)}
            onChange={(event) => choose(item, event.currentTarget.checked)}
          />
          <RowAction label={texts.up(item.nome)} off={index === 0} onClick={() => move(index, index - 1)}>
            <IconArrowUp size={18} aria-hidden />
          </RowAction>
          <RowAction
            label={texts.down(item.nome)}
            off={index === shown.length - 1}
            onClick={() => move(index, index + 1)}
          >
            <IconArrowDown size={18} aria-hidden />
          </RowAction>
        </li>
      ))}
    </ol>
  );
}
