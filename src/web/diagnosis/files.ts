/** Media of the diagnosis: neutral and public (src/web/public/diagnostica, decision 056). */
export const FILM_URL = '/diagnostica/film.mp4';
/** Long enough to open another app and come back. */
export const LONG_FILM_URL = '/diagnostica/lungo.mp4';
export const SONG_URL = '/diagnostica/canzone.m4a';
export const TICKET_URL = '/diagnostica/biglietto.pdf';

/** Returns film content as the evening's stage expects it. */
export function filmContent(video_url: string) {
  return { video_url, light_url: null, video_bitrate: null, video_playback_rate: 1, poster_url: null };
}
