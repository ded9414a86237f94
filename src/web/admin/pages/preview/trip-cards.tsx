import { Anchor, Text } from '@mantine/core';
import { imageSeconds, type Snapshot, tripOf, type Viaggio } from '../../../../domain/content.ts';
import { withoutMarkers } from '../../../../domain/emphasis.ts';
import { previewCardTexts, secondsText } from '../../../../texts/admin/preview.ts';
import { thumbnailOf } from '../../../scenes/sized-picture.ts';
import styles from './preview-card.module.css';
import { CardPart, nonBlank, PreviewCard, Value, Values } from './preview-card.tsx';

const texts = previewCardTexts.trip;

/** Dates, tickets and picture of a trip (spec 2 «Preview»). */
export function TripCard({ snapshot, viaggio }: { snapshot: Snapshot; viaggio: Viaggio }) {
  const { config } = snapshot;
  const first = viaggio === 1;
  const { immagine_destinazione_url, biglietti_url } = tripOf(snapshot, viaggio);
  return (
    <PreviewCard title={texts.title[viaggio]} path={first ? '/admin/immagine' : '/admin/second-trip-details'}>
      <Values>
        <Value name={texts.departure} gender="feminine">
          {nonBlank(first ? config.data_partenza : config.data_partenza_2)}
        </Value>
        <Value name={texts.return} gender="feminine">
          {nonBlank(first ? config.data_ritorno : config.data_ritorno_2)}
        </Value>
        <Value name={texts.tickets}>
          {biglietti_url === null ? null : (
            <Anchor
              href={biglietti_url}
              target="_blank"
              rel="noreferrer"
              underline="always"
              className={styles.way}
            >
              {texts.openTickets}
            </Anchor>
          )}
        </Value>
        <Value name={texts.image} gender="feminine">
          {immagine_destinazione_url === null ? null : (
            <img
              className={styles.image}
              src={thumbnailOf(immagine_destinazione_url)}
              alt={texts.imageAlt}
              loading="lazy"
            />
          )}
        </Value>
      </Values>
      {first ? <FirstTexts config={config} /> : <SecondTexts config={config} />}
    </PreviewCard>
  );
}

function SecondTexts({ config }: Pick<Snapshot, 'config'>) {
  return (
    <Values>
      <Value name={texts.destinationTitle}>{nonBlank(config.titolo_destinazione_2)}</Value>
      <Value name={texts.tripTitle}>{nonBlank(config.titolo_viaggio_2)}</Value>
      <Value name={texts.instructions} gender="feminine">
        {nonBlank(config.testo_istruzioni_biglietti_2)}
      </Value>
    </Values>
  );
}

/** Texts of the first trip, which have separate pages. */
function FirstTexts({ config }: Pick<Snapshot, 'config'>) {
  return (
    <>
      <CardPart title={texts.texts} path="/admin/testi-destinazione">
        <Value name={texts.destinationTitle}>{nonBlank(config.titolo_destinazione)}</Value>
        <Value name={texts.tripTitle}>{nonBlank(config.titolo_viaggio)}</Value>
        <Value name={texts.imageSeconds}>
          {secondsText(imageSeconds(config.durata_immagine_destinazione_secondi))}
        </Value>
      </CardPart>
      <CardPart title={texts.instructions} path="/admin/ticket-instruction">
        <Value name={texts.instructionText}>{nonBlank(config.testo_istruzioni_biglietti)}</Value>
      </CardPart>
    </>
  );
}

/** The two questions of a trip, or a notice if there are none. */
export function QuestionsCard({ snapshot, viaggio }: { snapshot: Snapshot; viaggio: Viaggio }) {
  const { domande } = tripOf(snapshot, viaggio);
  const labels = previewCardTexts.questions;
  return (
    <PreviewCard
      title={labels.title[viaggio]}
      path={viaggio === 1 ? '/admin/checkbox' : '/admin/second-trip-checkbox'}
      action={labels.edit}
    >
      {domande === null ? (
        <Text>{labels.none}</Text>
      ) : (
        <Values>
          <Value name={labels.first}>{withoutMarkers(domande.domanda_1)}</Value>
          <Value name={labels.second}>{withoutMarkers(domande.domanda_2)}</Value>
        </Values>
      )}
    </PreviewCard>
  );
}
