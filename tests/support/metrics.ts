/** Values of a scrape by series with its labels, as written: `sorpresa_entries_total{kind="new"}`. */
export type Scrape = Record<string, number>;

/** Scrapes like Prometheus; throws if the reply is invalid for it. */
export async function scrape(url: string, token?: string): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`, {
    headers: token === undefined ? [] : [['authorization', `Bearer ${token}`]],
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return readText(text);
}

const SERIES = /^([a-z_][a-z\d_]*(?:\{[a-z_]+="[^"\\\n]*"(?:,[a-z_]+="[^"\\\n]*")*\})?) (\S+)$/i;

/** Parses Prometheus' text format: each series once, each with a described name. */
export function readText(text: string): Scrape {
  const found: Scrape = {};
  const described = new Set<string>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, type] = /^# TYPE (\S+) (?:counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (type !== undefined) described.add(type);
    if (line.startsWith('#')) continue;
    const [, series = '', value] = SERIES.exec(line) ?? [];
    const name = series.replace(/\{.*$/, '').replace(/_(?:bucket|sum|count)$/, '');
    const isKnown = described.has(name) || described.has(series.replace(/\{.*$/, ''));
    if (series === '' || !isKnown || series in found) throw new Error(`Not a line of a scrape: ${line}`);
    found[series] = Number(value);
  }
  return found;
}
