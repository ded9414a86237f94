import { Group, Paper, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { dayOf } from '../../../../texts/admin/formats.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';
import { ordinalDate } from '../../../../texts/dates.ts';
import styles from './page.module.css';

const texts = logsTexts.accesses;

type AccessDay = { giorno: string; riusciti: number; rifiutati: number };

/** From the bottom of a bar to its top. */
const SERIES = [
  { name: 'riusciti', label: texts.granted, className: styles.granted },
  { name: 'rifiutati', label: texts.denied, className: styles.denied },
] as const;
const shortDay = new Intl.DateTimeFormat('it-IT', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** Pixels from the top of the drawing to the highest line, and from there to the base line. */
const PLOT = { top: 8, height: 124 };
/** Grid lines above the base line, at most. */
const MAX_LINES = 4;
/** A phone has room for the name of every fifth day. */
const NAMED_DAY = 5;

/** Accesses of the last 30 days: a sentence, a chart, and a table for screen readers. Nothing if there are none. */
export function Accesses({ days }: { days: readonly AccessDay[] }) {
  const busy = days.filter(({ riusciti, rifiutati }) => riusciti + rifiutati > 0);
  const total = (name: 'riusciti' | 'rifiutati') => busy.reduce((sum, day) => sum + day[name], 0);
  if (busy.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {texts.title}
        </Title>
        <Text c="dimmed">{texts.summary(total('riusciti'), total('rifiutati'))}</Text>
        <div aria-hidden>
          <Group justify="flex-end" gap="md" mb="xs">
            {SERIES.map(({ name, label, className }) => (
              <Text key={name} size="sm">
                <svg width={18} height={12}>
                  <rect width={12} height={12} className={className} />
                </svg>
                {label}
              </Text>
            ))}
          </Group>
          <AccessChart days={days} />
        </div>
        <VisuallyHidden>
          <DaysTable days={busy} />
        </VisuallyHidden>
      </Stack>
    </Paper>
  );
}

/** One bar per day, as wide as the page. The table has the same content. */
function AccessChart({ days }: { days: readonly AccessDay[] }) {
  const highest = Math.max(...days.map(({ riusciti, rifiutati }) => riusciti + rifiutati));
  const step = gridStep(highest);
  const lines = Math.ceil(highest / step);
  const heightOf = (count: number) => (PLOT.height * count) / (step * lines);
  const base = PLOT.top + PLOT.height;
  const xOf = (place: number) => `${(100 * place) / days.length}%`;
  return (
    <svg className={styles.chart}>
      {Array.from({ length: lines + 1 }, (_, line) => line * step).map((count) => (
        <g key={count}>
          <line x2="100%" y1={base - heightOf(count)} y2={base - heightOf(count)} />
          <text x={-8} y={base - heightOf(count)} dy="0.35em" textAnchor="end">
            {count}
          </text>
        </g>
      ))}
      {days.map(({ giorno, ...counts }, place) => (
        <g key={giorno}>
          <title>{`${dayName(giorno)}: ${texts.summary(counts.riusciti, counts.rifiutati)}`}</title>
          {SERIES.map(({ name, className }) => (
            <rect
              key={name}
              className={className}
              x={xOf(place + 0.1)}
              y={base - heightOf(counts.riusciti) - (name === 'riusciti' ? 0 : heightOf(counts.rifiutati))}
              width={xOf(0.8)}
              height={heightOf(counts[name])}
            />
          ))}
          {(days.length - place) % NAMED_DAY === 3 && (
            <text x={xOf(place + 0.5)} y={base + 20} textAnchor="middle">
              {ordinalDate(shortDay.format(new Date(giorno)))}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** Returns the distance of the grid lines: a whole number that is easy to read. */
function gridStep(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest / MAX_LINES));
  const factor = [1, 2, 5].find((each) => each * power * MAX_LINES >= highest) ?? 10;
  return Math.max(1, factor * power);
}

function dayName(giorno: string): string {
  return dayOf(`${giorno}T12:00:00Z`);
}

function DaysTable({ days }: { days: readonly AccessDay[] }) {
  return (
    <Table>
      <caption>{texts.table}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.day}</th>
          <th scope="col">{texts.granted}</th>
          <th scope="col">{texts.denied}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ giorno, riusciti, rifiutati }) => (
          <tr key={giorno}>
            <th scope="row">{dayName(giorno)}</th>
            <td>{riusciti}</td>
            <td>{rifiutati}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
