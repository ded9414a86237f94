/** A film as the visit has it, and the same for a slow line. */
type Films = { video_url: string; light_url: string | null };

/** Which one is played: the light one, where there is one, to who asked the browser to save data. */
export function filmFor({ video_url, light_url }: Films, { savesData }: { savesData: boolean }): string {
  return savesData ? (light_url ?? video_url) : video_url;
}
