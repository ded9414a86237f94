/** What is played and opened here: made for the trial, and anybody's (src/web/public/diagnostica, decision 56). */
export const FILM_URL = '/diagnostica/film.mp4';
/** Long enough to go to another app and come back. */
export const LONG_FILM_URL = '/diagnostica/lungo.mp4';
export const SONG_URL = '/diagnostica/canzone.m4a';
export const TICKET_URL = '/diagnostica/biglietto.pdf';

/** What the evening's stage wants to know of a film. */
export function filmContent(video_url: string) {
  return { video_url, light_url: null, video_bitrate: null, video_playback_rate: 1, poster_url: null };
}
