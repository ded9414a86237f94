import { useQuery } from '@tanstack/react-query';
import type { Snapshot } from '../../../../domain/content.ts';
import { captionsFor } from '../../../../domain/media.ts';
import { withRecipientName } from '../../../../domain/recipient-name.ts';
import { queries } from '../../api.ts';
import { usePicture } from '../media/focus/use-picture.ts';

/** Loads the current configuration of the whole evening, as a new visit would get it. */
export function useEveningData() {
  const config = useQuery(queries.config.read.queryOptions());
  const questions = useQuery(queries.questions.read.queryOptions());
  // Poster and captions are optional: without the list of videos they are omitted.
  const videos = useQuery(queries.media.list.queryOptions({ input: { slot: 'video' } }));
  const { fuoco, hues } = usePicture(1);
  const { fuoco: fuoco_2, hues: hues_2 } = usePicture(2);
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
  const extras = {
    poster_url: film?.poster_url ?? null,
    light_url: null,
    video_bitrate: null,
    captions,
    fuoco,
    fuoco_2,
    hues,
    hues_2,
    ticket_pages: null,
    ticket_pages_2: null,
  };
  const evening = withRecipientName({ config: config.data, questions: questions.data, ...extras });
  const snapshot: Snapshot = evening;
  return { error: null, refetch, data: { settings: evening.config, snapshot } };
}

export type EveningData = NonNullable<ReturnType<typeof useEveningData>['data']>;
/** The configuration with the site settings, as its call returns them. */
export type Settings = EveningData['settings'];
