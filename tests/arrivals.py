"""What segments of a loaded chain arrive with."""

import numpy as np

from flexura.lie import se3
from flexura.solve.shooting.boundary_problem import BoundaryProblem, Seams


class Arrivals:
    """What segments of a loaded chain arrive with, and its derivatives."""

    def __init__(self, loaded, pose, wrench, tension=()):
        self.loaded, self.pose, self.tension = loaded, pose, np.array(tension)
        self.own = np.einsum("nji,nkj->nki", pose[:, :3, :3], wrench.reshape(-1, 2, 3))
        self.size = 12 + len(self.tension)

    def after(self, step):
        """Arrivals after the same step in the body frames of all seams, and of the tensions."""
        pose = self.pose @ se3.exp(step[:6])
        wrench = np.einsum("nij,nkj->nki", pose[:, :3, :3], self.own + step[6:12].reshape(2, 3))
        problem = BoundaryProblem(self.loaded, 1e-10)
        seams = Seams(pose, wrench.reshape(-1, 6), self.tension + step[12:], fine=True)
        assert problem.evaluate(seams)
        return problem.shot

    def difference(self, k, h=1e-5):
        """Central differences by number k of a step: of twists with wrenches, and of lengths."""
        step = np.zeros(self.size)
        step[k] = h
        ahead, behind = self.after(step), self.after(-step)
        twist = se3.log(se3.inverse(behind.arrival) @ ahead.arrival)
        found = np.concatenate([twist, ahead.arrived - behind.arrived], axis=1)
        return found / (2.0 * h), (ahead.length - behind.length) / (2.0 * h)
