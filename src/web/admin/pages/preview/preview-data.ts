import { useQuery } from '@tanstack/react-query';
import { captionsFor } from '../../../../domain/captions.ts';
import type { Snapshot } from '../../../../domain/content.ts';
import { queries } from '../../api.ts';
import { useFocus } from '../../components/media/focus/use-focus.ts';

/** Everything the preview shows, read when the page opens. */
export function usePreviewData() {
  const config = useQuery(queries.config.read.queryOptions());
  const questions = useQuery(queries.questions.read.queryOptions());
  // Poster and captions are ornaments: without the list of videos there are none.
  const videos = useQuery(queries.media.list.queryOptions({ input: { slot: 'video' } }));
  const [fuoco, fuoco_2] = [useFocus(1), useFocus(2)];
  const refetch = () => {
    void config.refetch();
    void questions.refetch();
  };
  const error = config.error ?? questions.error;
  if (config.data === undefined || questions.data === undefined) {
    return { error, refetch, data: undefined };
  }
  const film = videos.data?.find(({ attivo }) => attivo);
  const captions = captionsFor(film?.captions ?? null);
  const besides = {
    poster_url: film?.poster_url ?? null,
    light_url: null,
    video_bitrate: null,
    captions,
    fuoco,
    fuoco_2,
  };
  const snapshot: Snapshot = { config: config.data, questions: questions.data, ...besides };
  return { error: null, refetch, data: { settings: config.data, snapshot } };
}

export type PreviewData = NonNullable<ReturnType<typeof usePreviewData>['data']>;
/** The configuration with the settings of the site, as its call answers them. */
export type Settings = PreviewData['settings'];
