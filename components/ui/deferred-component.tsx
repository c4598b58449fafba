import { useState, type ComponentType } from "react";
import { deferred } from "./deferred";

/** A component that no page begins with, as a dialog is: fetched when it is first shown or, while its `open` is false, at rest. Opened once it stays, so that what it waits for still arrives. */
export function deferredComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const part = deferred(load);
  return function Deferred(props: Props) {
    const isClosed = "open" in props && props.open === false;
    const [isWanted, setWanted] = useState(!isClosed);
    if (!isClosed && !isWanted) setWanted(true);
    const Part = part.usePart(isWanted);
    return Part && <Part {...props} />;
  };
}
