import { exportDispatch, type ExportContext } from "../features/exports/run-service";

/** Runs export destinations until none is due, and returns the number of exported generations. */
export async function exportDue(context: ExportContext): Promise<number> {
  let exported = 0;
  const errors: unknown[] = [];
  const dispatch = exportDispatch(
    context,
    (error) => errors.push(error),
    (generations) => (exported += generations),
  );
  await dispatch.look();
  await dispatch.idle();
  if (errors.length > 0) throw errors[0];
  return exported;
}
