import { QRCodeSVG } from 'qrcode.react';
import styles from './qr-code.module.css';

/** Wine on white in both themes: what every camera reads. */
const QR = { ink: '#4a1230', paper: '#ffffff', size: 232, margin: 3 } as const;

/** A link to be scanned by a phone. `title`: what it is, for who can't see it. */
export function QrCode({ value, title }: { value: string; title: string }) {
  return (
    <QRCodeSVG
      value={value}
      level="M"
      size={QR.size}
      marginSize={QR.margin}
      fgColor={QR.ink}
      bgColor={QR.paper}
      title={title}
      className={styles.code}
    />
  );
}
