import { QRCodeSVG } from 'qrcode.react';
import type { TokenRecord } from '../../../../../contract/records.ts';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import { BigCode } from '../big-code.tsx';
import styles from './card.module.css';

const texts = tokensTexts.card;
/** Wine: dark enough on the paper for every scanner. */
const QR_INK = '#4a1230';

type CardProps = { token: TokenRecord; site: URL };

/** The card that is given: for whom, where to go, and what to type. The QR code holds the site's address and nothing else. */
export function Card({ token, site }: CardProps) {
  return (
    <article className={styles.card}>
      <div className={styles.frame}>
        <Heart />
        <h2 className={styles.heading}>{texts.heading}</h2>
        <p className={styles.to}>
          <span className={styles.for}>{texts.to}</span> {token.nome}
        </p>
        <div className={styles.qr}>
          <QRCodeSVG
            value={site.href}
            level="M"
            fgColor={QR_INK}
            bgColor="transparent"
            title={texts.qr(site.href)}
            className={styles.code}
          />
        </div>
        <p className={styles.small}>
          {texts.scan}, {texts.orGo}
        </p>
        <p className={styles.address}>{site.host}</p>
        <p className={styles.small}>{texts.type}</p>
        <BigCode token={token.token} className={styles.token} />
        <p className={styles.footer}>{texts.footer}</p>
      </div>
    </article>
  );
}

function Heart() {
  return (
    <svg viewBox="-1 -1 34 30" className={styles.heart} aria-hidden="true">
      <path d="M16 27C5 19 1 13.5 1 8.5A7.5 7.5 0 0 1 16 6a7.5 7.5 0 0 1 15 2.5c0 5-4 10.5-15 18.5Z" />
    </svg>
  );
}
