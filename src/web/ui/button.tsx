import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

type ButtonStyle = { look?: 'gold' | 'quiet'; wide?: boolean };

/** The class names of a button's look, for links that should look like one. */
export function buttonClass({ look = 'gold', wide = false }: ButtonStyle = {}): string {
  return [styles.button, styles[look], wide ? styles.wide : ''].filter(Boolean).join(' ');
}

/** Gold is for the one thing to press; the others are quiet. */
export function Button({
  look,
  wide,
  type = 'button',
  ...rest
}: ButtonStyle & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type={type} className={buttonClass({ ...(look && { look }), ...(wide && { wide }) })} {...rest} />
  );
}
