-- The writer keeps the periods, as the declaration of deals says. decisions/0050
DROP TRIGGER periods_from_events ON events;
DROP FUNCTION periods_from_events;
