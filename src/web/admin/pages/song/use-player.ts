import { useEffect, useRef, useState } from 'react';
import { songPageTexts as texts } from '../../../../texts/admin/media.ts';
import { toastError } from '../../../ui/toaster/toast.ts';

type PlayerState = keyof typeof texts.states;

/** Playing and pausing a song; at the end of the track it is stopped, at its beginning (spec 4). */
export function usePlayer() {
  const audio = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState<PlayerState>('stopped');
  useEffect(() => {
    const element = audio.current;
    if (element === null) return;
    const told = new AbortController();
    const on = (event: string, next: PlayerState) =>
      element.addEventListener(event, () => setState(next), { signal: told.signal });
    on('playing', 'playing');
    on('ended', 'stopped');
    // The browser pauses at the end, too.
    element.addEventListener('pause', () => setState(element.ended ? 'stopped' : 'paused'), {
      signal: told.signal,
    });
    return () => told.abort();
  }, []);

  function toggle(): void {
    const element = audio.current;
    if (element === null) return;
    if (element.paused) element.play().catch(() => toastError(texts.playFailed));
    else element.pause();
  }
  return { audio, state, toggle };
}
