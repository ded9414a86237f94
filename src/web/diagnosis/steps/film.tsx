import { useRef, useState } from 'react';
import { stepTexts, diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { Button } from '../../ui/button.tsx';
import { experienceSong } from '../../visitor/experience/media.ts';
import { preloadSong } from '../../visitor/media/preload.ts';
import type { VideoStageEvent } from '../../visitor/media/stage.ts';
import { unlockMedia } from '../../visitor/media-host.ts';
import { FILM_URL, SONG_URL } from '../files.ts';
import { Question } from '../question.tsx';
import { type FilmWatch, watchFilm } from '../watch-film.ts';
import { FilmStage } from './film-stage.tsx';
import type { StepProps } from './step-props.ts';

/** Plays the film as in the evening, from the tap to its end. The song then starts automatically. */
export function FilmStep({ index, onResult, onSkip }: StepProps) {
  const [open, setOpen] = useState(false);
  const watch = useRef<FilmWatch>(null);
  if (!open) {
    const next = () => {
      unlockMedia();
      setOpen(true);
    };
    return (
      <Question {...stepTexts.film} step={index} onSkip={onSkip}>
        <Button wide onClick={next}>
          {texts.next}
        </Button>
      </Question>
    );
  }
  const finish = (film: 'played' | 'refused' | 'failed') =>
    onResult(watch.current?.findings(film) ?? { film });
  const onFilmEvent = (event: VideoStageEvent) => {
    switch (event.type) {
      case 'second':
        return;
      case 'nearlyDone':
        return preloadSong(SONG_URL);
      case 'ended':
        experienceSong().start({ url: SONG_URL, viaggio: 1 });
        return finish('played');
      case 'cannotStart':
        return finish('refused');
      case 'gaveUp':
        return finish('failed');
    }
  };
  return (
    <FilmStage
      url={FILM_URL}
      onOpen={(stage) => {
        const started = watchFilm(stage);
        watch.current = started;
        return started.stop;
      }}
      onEvent={onFilmEvent}
      onStart={() => watch.current?.tapped()}
    >
      <button type="button" onClick={onSkip}>
        {texts.stopFilm}
      </button>
    </FilmStage>
  );
}
