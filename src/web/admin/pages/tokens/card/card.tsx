import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TokenRecord } from '../../../../../contract/model.ts';
import type { Dress } from '../../../../../domain/configuration.ts';
import { recipientName } from '../../../../../domain/recipient-name.ts';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import type { ConfigRecord } from '../../../components/forms/sources.ts';
import { qrPath } from '../../../components/qr-path.ts';
import { type CardWords, drawCard, type Mark } from './drawing.ts';
import { paintCard } from './picture.ts';

const texts = tokensTexts.card;

/** A code's card; `spokenText`: its content for screen readers. */
export type CardToGive = Omit<CardWords, 'qr'> & { spokenText: string; dress: Dress };

/** Returns a code's card in the evening's dress, with the recipient's name once. @param own the administrator's title, or null */
export function toCard(
  config: ConfigRecord,
  { own, token: { token }, site }: { own: string | null; token: TokenRecord; site: URL },
): CardToGive {
  const recipient = recipientName(config);
  const title = texts.title(own, recipient);
  const isNamed = recipient !== null && wordsOf(title).includes(wordsOf(recipient));
  const name = isNamed ? null : recipient;
  const spokenText = texts.description({ title, name, url: site.href, token });
  return { title, name, token, site, spokenText, dress: config.dress };
}

/** Returns the words of a text, each between spaces. */
const wordsOf = (text: string) => ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** Paints the card, and again when it changes. Until then `picture` and its address are those of the card before. */
export function useCardPicture(card: CardToGive, enabled = true) {
  const { data, error, refetch } = useQuery({
    queryKey: ['card', card.dress, card.title, card.name, card.spokenText],
    queryFn: async () => paintCard(await layOutCard(card), card.dress),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    const created = URL.createObjectURL(data);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [data]);
  return { picture: data, address, error, refetch };
}

/** Font size for measuring; any size gives the same relative widths. */
const MEASURED_AT = 100;

/** Loads the card's font and lays the card out. If that fails, a fallback font is measured. */
export async function layOutCard(card: CardToGive): Promise<Mark[]> {
  const family = getComputedStyle(document.documentElement).getPropertyValue('--serif');
  await document.fonts.load(`400 ${MEASURED_AT}px ${family}`).catch(() => []);
  const pen = document.createElement('canvas').getContext('2d');
  return drawCard({ ...card, qr: qrPath(card.site.href) }, (text, { weight, italic }) => {
    if (pen === null) return [...text].length / 2;
    pen.font = `${italic ? 'italic ' : ''}${weight} ${MEASURED_AT}px ${family}`;
    return pen.measureText(text).width / MEASURED_AT;
  });
}
