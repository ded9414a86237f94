import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { dashboardTexts } from '../../../texts/admin/dashboard.ts';
import { ordinalDate } from '../../../texts/dates.ts';

export type AccessDay = { giorno: string; riusciti: number; rifiutati: number };

const { granted, denied } = dashboardTexts.accesses;
const SERIES = [
  { name: 'riusciti', label: granted, color: 'wine.5' },
  { name: 'rifiutati', label: denied, color: 'gray.5' },
];
const shortDay = new Intl.DateTimeFormat('it-IT', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** One bar per day. The text next to it has the same content, so the chart is closed to keyboard and screen readers. */
export function AccessChart({ days }: { days: readonly AccessDay[] }) {
  return (
    <BarChart
      h={180}
      data={days.map((day) => ({ ...day, giorno: ordinalDate(shortDay.format(new Date(day.giorno))) }))}
      dataKey="giorno"
      type="stacked"
      series={SERIES}
      withLegend
      barChartProps={{ accessibilityLayer: false, margin: { top: 4, right: 4, bottom: 0, left: 0 } }}
      yAxisProps={{ allowDecimals: false, width: 28 }}
      xAxisProps={{ minTickGap: 24 }}
      gridAxis="x"
      tickLine="none"
    />
  );
}
