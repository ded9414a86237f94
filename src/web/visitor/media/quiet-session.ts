/** Actions of lock screens, headsets and media keys that are handled but ignored. */
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
 * Takes over the system's media controls, because a browser without handlers pauses and seeks. Their title reveals nothing.
 * @param playOn called by the system's play button
 * @returns the function that releases them
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

/** Web views throw at unknown actions. */
function attempt(run: () => void): void {
  try {
    run();
  } catch {
    // One control less.
  }
}
