import type { ComponentProps } from 'react';
import styles from './action.module.css';

/** Style of an action in antique gold; `quiet` for secondary actions. */
type ActionStyle = { quiet?: boolean; breathing?: boolean };

export function ActionButton({
  quiet = false,
  breathing = false,
  className = '',
  ...rest
}: ComponentProps<'button'> & ActionStyle) {
  return (
    <button
      type="button"
      className={`${styles.action} ${className}`}
      data-quiet={quiet}
      data-breathing={breathing}
      {...rest}
    />
  );
}

/** An action as a link, for URLs that the browser itself must load. */
export function ActionLink({
  quiet = false,
  breathing = false,
  className = '',
  children,
  ...rest
}: ComponentProps<'a'> & ActionStyle) {
  return (
    <a className={`${styles.action} ${className}`} data-quiet={quiet} data-breathing={breathing} {...rest}>
      {children}
    </a>
  );
}
