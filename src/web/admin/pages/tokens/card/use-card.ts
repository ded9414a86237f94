import { useQuery } from '@tanstack/react-query';
import type { TokenRecord } from '../../../../../contract/records.ts';
import type { Dress } from '../../../../../domain/dresses.ts';
import { recipientName } from '../../../../../domain/recipient-name.ts';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import { queries } from '../../../api.ts';
import { qrPath } from '../../../components/qr-path.ts';
import { drawCard, type Mark } from './drawing.ts';
import type { MeasureText } from './fitted.ts';

export type CardToGive = { marks: Mark[]; spokenText: string; dress: Dress; name: string | null };

/** Returns a code's card in the evening's dress with the recipient's name, once the configuration and the font are loaded. */
export function useCard({ token }: Pick<TokenRecord, 'token'>, site: URL) {
  const config = useQuery(queries.config.read.queryOptions());
  const measure = useQuery({
    queryKey: ['card', 'letters'],
    queryFn: loadFont,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: loadedFont } = measure;
  const name = config.data === undefined ? null : recipientName(config.data);
  const data: CardToGive | undefined = config.data &&
    loadedFont && {
      marks: drawCard({ name, token, site, qr: qrPath(site.href) }, loadedFont.measure),
      spokenText: tokensTexts.card.description({ name, url: site.href, token }),
      dress: config.data.dress,
      name,
    };
  return { data, error: config.error, refetch: config.refetch };
}

/** Font size for measuring; any size gives the same relative widths. */
const MEASURED_AT = 100;

/** Loads the card's font before measuring. If that fails, a fallback font is measured. */
async function loadFont(): Promise<{ measure: MeasureText }> {
  const family = getComputedStyle(document.documentElement).getPropertyValue('--serif');
  await document.fonts.load(`400 ${MEASURED_AT}px ${family}`).catch(() => []);
  const pen = document.createElement('canvas').getContext('2d');
  return {
    measure(text, { weight, italic }) {
      if (pen === null) return [...text].length / 2;
      pen.font = `${italic ? 'italic ' : ''}${weight} ${MEASURED_AT}px ${family}`;
      return pen.measureText(text).width / MEASURED_AT;
    },
  };
}
