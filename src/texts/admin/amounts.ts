/** Units of a size, in bytes. */
const UNITS = [
  { bytes: 1024 ** 3, name: 'GB' },
  { bytes: 1024 ** 2, name: 'MB' },
  { bytes: 1024, name: 'kB' },
] as const;
/** Amount from which decimals are left out. */
const WHOLE_FROM = 100;

const whole = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('it-IT', { style: 'percent', maximumFractionDigits: 0 });

/** Formats a size: `1,2 GB`, `340 MB`, `12 byte`. */
export function humanSize(bytes: number): string {
  const unit = UNITS.find((candidate) => bytes >= candidate.bytes);
  if (unit === undefined) return `${whole.format(bytes)} byte`;
  const amount = bytes / unit.bytes;
  return `${(amount < WHOLE_FROM ? oneDecimal : whole).format(amount)} ${unit.name}`;
}

/** Formats a speed: `2,4 MB/s`. */
export function humanSpeed(bytesPerSecond: number): string {
  return `${humanSize(Math.round(bytesPerSecond))}/s`;
}

/** Formats a remaining time in stable steps: `meno di un minuto`, `12 minuti`, `1 ora e 5 minuti`. */
export function humanTimeLeft(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 10) return 'pochi secondi';
  if (minutes < 1) return 'meno di un minuto';
  if (minutes < 60) return minutesText(minutes);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const hoursText = hours === 1 ? '1 ora' : `${hours} ore`;
  return rest === 0 ? hoursText : `${hoursText} e ${minutesText(rest)}`;
}

/** Formats a share (0 to 1) as a percentage: `40%`. Reaches 100% only at the very end. */
export function humanShare(share: number): string {
  return percent.format(wholePercent(share) / 100);
}

/** Returns a share (0 to 1) in whole percent, rounded down. */
export function wholePercent(share: number): number {
  return Math.min(100, Math.max(0, Math.floor(share * 100)));
}

function minutesText(minutes: number): string {
  return minutes === 1 ? '1 minuto' : `${minutes} minuti`;
}
