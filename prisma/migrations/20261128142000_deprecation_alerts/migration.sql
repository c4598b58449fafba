ALTER TYPE "alert_kind" ADD VALUE 'deprecated_model';
