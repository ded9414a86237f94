/** What lock screens, headsets and media keys may ask for. All of it is heard and none of it obeyed, but playing on. */
const REFUSED = [
  'pause',
  'stop',
  'seekbackward',
  'seekforward',
  'seekto',
  'previoustrack',
  'nexttrack',
] as const;

/**
 * Takes the system's media controls: without handlers a browser pauses and seeks by itself. The title they show gives nothing away.
 * @param playOn the system's own play button
 * @returns what gives them back
 */
export function takeMediaControls(playOn: () => void): () => void {
  const { mediaSession: session }: { mediaSession?: MediaSession } = navigator;
  if (session === undefined) return () => {};
  setHandlers(session, () => {}, playOn);
  attempt(() => {
    session.metadata = new MediaMetadata({ title: document.title });
  });
  attempt(() => session.setPositionState?.());
  return () => {
    setHandlers(session, null, null);
    attempt(() => {
      session.metadata = null;
    });
  };
}

function setHandlers(session: MediaSession, refused: (() => void) | null, play: (() => void) | null): void {
  for (const action of REFUSED) attempt(() => session.setActionHandler(action, refused));
  attempt(() => session.setActionHandler('play', play));
}

/** Web views throw at actions they don't know. */
function attempt(run: () => void): void {
  try {
    run();
  } catch {
    // One control less.
  }
}
