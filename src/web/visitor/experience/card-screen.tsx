import { type MouseEvent, type RefObject, useContext, useRef, useSyncExternalStore } from 'react';
import type { Viaggio } from '../../../domain/content.ts';
import { isDownloaded, isPaused, mayContinue } from '../../../experience/selectors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { ActionButton, ActionLink } from '../../scenes/action.tsx';
import { BoardingPass } from '../../scenes/boarding-pass.tsx';
import { nextTask } from '../../ui/waiting.ts';
import type { Tickets } from '../media/tickets.ts';
import { playSound } from './media.ts';
import { NoticeLine } from './notice-line.tsx';
import type { ScreenProps } from './screen-props.ts';
import { useStageContent } from './stage-content.ts';
import { TicketsAddress } from './tickets-address.ts';
import { useTickets } from './tickets-shelf.tsx';
import { useSelector } from './use-selector.ts';

/** The trip card. «Continua» replaces the download if there are no tickets; otherwise it appears below after they were viewed. */
export function CardScreen({ actor }: ScreenProps) {
  const content = useStageContent(actor, 'card');
  const torn = useSelector(actor, isDownloaded);
  const canContinue = useSelector(actor, mayContinue);
  const paused = useSelector(actor, isPaused);
  const passenger = useSelector(actor, ({ context }) => context.visit?.recipient_name ?? null);
  const sounds = useSelector(actor, ({ context }) => context.visit?.sound_effects);
  const link = useRef<HTMLAnchorElement>(null);
  if (content === null) return null;
  const { biglietti_url } = content;
  return (
    <BoardingPass
      {...content}
      passenger={passenger}
      isTorn={torn}
      notice={<NoticeLine paused={paused} at="stub" />}
      {...(biglietti_url !== null && { onTear: () => link.current?.click() })}
    >
      {biglietti_url !== null && (
        <TicketActions viaggio={content.viaggio} link={link} sounds={sounds} actor={actor} />
      )}
      {canContinue && (
        <ActionButton quiet={biglietti_url !== null} onClick={() => actor.send({ type: 'CONTINUE' })}>
          {texts.continue}
        </ActionButton>
      )}
    </BoardingPass>
  );
}

type ActionsProps = ScreenProps & {
  viaggio: Viaggio;
  link: RefObject<HTMLAnchorElement | null>;
  sounds: boolean | undefined;
};

function TicketActions({ viaggio, link, sounds, actor }: ActionsProps) {
  const address = useContext(TicketsAddress)(viaggio);
  const { of, openViewer } = useTickets();
  const tickets = of(viaggio);
  const download = (event: MouseEvent) => {
    const result = tickets.downloadTapped(event);
    nextTask(() => {
      // The stub tears off.
      playSound('tear', sounds);
      actor.send({ type: 'DOWNLOAD' });
      void result.then((isAvailable) =>
        actor.send({ type: isAvailable ? 'DOWNLOAD_STARTED' : 'DOWNLOAD_FAILED' }),
      );
    });
  };
  return (
    <>
      <ActionLink
        ref={link}
        href={address}
        download="biglietti.pdf"
        target="_blank"
        rel="noopener"
        onClick={download}
      >
        {texts.download}
      </ActionLink>
      <ActionButton quiet onClick={openViewer}>
        {texts.view}
      </ActionButton>
      <ShareButton tickets={tickets} onShare={() => actor.send({ type: 'SHARE' })} />
    </>
  );
}

function ShareButton({ tickets, onShare }: { tickets: Tickets; onShare: () => void }) {
  const { canShare } = useSyncExternalStore(tickets.subscribe, tickets.state);
  if (!canShare) return null;
  return (
    <ActionButton
      quiet
      onClick={() => {
        tickets.share();
        onShare();
      }}
    >
      {texts.share}
    </ActionButton>
  );
}
